import { settingsSchema } from "#lib/environment.ts";

const prefixOf = (name: string) => /^[A-Z]+_/.exec(name.toUpperCase())?.[0];

const settingsByPrefix = Map.groupBy(Object.keys(settingsSchema.shape), prefixOf);

/** The environment also has other programs' variables. A name counts as ours if two settings have its prefix. */
function sharesPrefixWithSettings(name: string): boolean {
  const prefix = prefixOf(name);
  return prefix !== undefined && (settingsByPrefix.get(prefix)?.length ?? 0) > 1;
}

/** Names that Compose and Node read from `.env`. */
const OTHER_PROGRAMS_SETTING_PATTERN = /^(COMPOSE|DOCKER)_|^(POSTGRES_PASSWORD|SITE_IMAGE|TZ)$/;

/** One sentence for each name that looks like a setting and is none. `names`: those of the environment's variables. */
export function describeUnknownSettings(
  names: readonly string[],
  namesInFile: readonly string[],
): string[] {
  const meant = names.filter(sharesPrefixWithSettings);
  const inFile = namesInFile.filter((name) => !OTHER_PROGRAMS_SETTING_PATTERN.test(name));
  const unknown = new Set([...inFile, ...meant].filter((name) => !(name in settingsSchema.shape)));
  return [...unknown].map(
    (name) => `${name}: 이 사이트에 없는 설정입니다. .env.example에서 이름을 확인해 주세요.`,
  );
}
