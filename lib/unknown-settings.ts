import { settingsSchema } from "#lib/environment.ts";

const firstWord = (name: string) => name.split("_", 1)[0]?.toUpperCase() ?? "";

const settingsByFirstWord = Map.groupBy(Object.keys(settingsSchema.shape), firstWord);

/**
 * A container gets its settings as variables, among those of other programs. A word that begins two settings is ours.
 */
const isOurs = (name: string) => (settingsByFirstWord.get(firstWord(name))?.length ?? 0) > 1;

/** Names that Compose and Node read from `.env`. */
const OTHER_PROGRAMS = /^(COMPOSE|DOCKER)_|^(POSTGRES_PASSWORD|SITE_IMAGE|TZ)$/;

/** One sentence for each name that is meant for this site and is no setting. `names` are those of the environment. */
export function describeUnknownSettings(
  names: readonly string[],
  namesInFile: readonly string[],
): string[] {
  const meant = names.filter(isOurs);
  const inFile = namesInFile.filter((name) => !OTHER_PROGRAMS.test(name));
  const unknown = new Set([...inFile, ...meant].filter((name) => !(name in settingsSchema.shape)));
  return [...unknown].map(
    (name) => `${name}: 이 사이트에 없는 설정입니다. .env.example에서 이름을 확인해 주세요.`,
  );
}
