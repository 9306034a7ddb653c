import { settingsSchema } from "#lib/environment.ts";

/** A container gets its settings as variables, among those of other programs. */
const OUR_PREFIXES = /^(SMS|TWILIO|SMTP|MAIL|ADDRESS|BUSINESS|FACT|PRIVACY|DATABASE)_/i;
/** Names that Compose and Node read from `.env`. */
const OTHER_PROGRAMS = /^(COMPOSE|DOCKER)_|^(POSTGRES_PASSWORD|SITE_IMAGE|TZ)$/;
/** What an earlier version read, and where that is written now. */
const OLD_NAMES: Partial<Record<string, string>> = {
  SMTP_URL:
    "SMTP_HOST, SMTP_PORT, SMTP_USER, SMTP_PASSWORD에 나누어, 특수 문자도 그대로 적어 주세요.",
  TRUSTED_PROXY_HOPS:
    "사설 주소의 프록시에는 설정이 필요 없습니다. 공인 주소의 프록시(Cloudflare, Fly 등)가 있으면 그 수를 PUBLIC_PROXIES에 적어 주세요.",
};

/** One sentence for each name that is meant for this site and is no setting. `names` are those of the environment. */
export function describeUnknownSettings(
  names: readonly string[],
  namesInFile: readonly string[],
): string[] {
  const meant = names.filter((name) => name in OLD_NAMES || OUR_PREFIXES.test(name));
  const inFile = namesInFile.filter((name) => !OTHER_PROGRAMS.test(name));
  const unknown = new Set([...inFile, ...meant].filter((name) => !(name in settingsSchema.shape)));
  return [...unknown].map(
    (name) =>
      `${name}: 이 사이트에 없는 설정입니다. ${OLD_NAMES[name] ?? ".env.example에서 이름을 확인해 주세요."}`,
  );
}
