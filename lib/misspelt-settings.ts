import { settingsSchema } from "#lib/environment.ts";

const SETTINGS = Object.keys(settingsSchema.shape);
/** A name that begins like our settings, or like those of similar programs, is meant for this site. */
const PREFIXES =
  /^(SMS|TWILIO|SMTP|E?MAIL|ADDRESS|BUSINESS|FACT|PRIVACY|DATABASE|DB)_|^POSTGRES(QL)?_UR[IL]$/;
/** Names that Compose and Node read from `.env`. */
const OTHER_PROGRAMS = /^(COMPOSE|DOCKER)_|^(POSTGRES_PASSWORD|SITE_IMAGE|TZ)$/;
/** Names with which Kubernetes describes a service: `DB_SERVICE_HOST`, `DB_PORT_5432_TCP_ADDR`. */
const KUBERNETES_SERVICE = /_(SERVICE_(HOST|PORT)|PORT_\d+_)/;

/** What an earlier version read, and where that is written now. */
const OLD_NAMES: Partial<Record<string, string>> = {
  SMTP_URL:
    "SMTP_HOST, SMTP_PORT, SMTP_USER, SMTP_PASSWORD에 나누어, 특수 문자도 그대로 적어 주세요.",
};

/** `fromFile`: the names in `.env`, where every name should be a setting. */
export function findMisspeltSettings(names: readonly string[], fromFile: readonly string[]) {
  return names.flatMap((name) => {
    if (SETTINGS.includes(name) || KUBERNETES_SERVICE.test(name)) return [];
    const isInFile = fromFile.includes(name);
    const instead = OLD_NAMES[name];
    if (instead) return [`${name}: 이제 쓰이지 않습니다. ${instead}`];
    const meant = nearestSetting(name, isInFile && name.length > 5 ? 2 : 1);
    const isOurs = PREFIXES.test(name.toUpperCase()) || (isInFile && !OTHER_PROGRAMS.test(name));
    if (!meant && !isOurs) return [];
    const advice = meant
      ? `${meant} 설정의 오타인 것 같습니다.`
      : ".env.example에서 이름을 확인해 주세요.";
    return [`${name}: 없는 설정이라 쓰이지 않습니다. ${advice}`];
  });
}

/** Case and punctuation are ignored. */
function nearestSetting(name: string, most: number): string | undefined {
  const plain = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  for (let edits = 0; edits <= most; edits++) {
    const nearest = SETTINGS.find((setting) => isWithin(edits, plain(name), plain(setting)));
    if (nearest !== undefined) return nearest;
  }
  return undefined;
}

/** True if at most `edits` letters are inserted, deleted, replaced or swapped with their neighbour. */
function isWithin(edits: number, one: string, other: string): boolean {
  if (one === other || edits === 0) return one === other;
  const [oneRest, otherRest] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return isWithin(edits, oneRest, otherRest);
  const isSwap = one[0] === other[1] && one[1] === other[0];
  return (
    isWithin(edits - 1, oneRest, other) ||
    isWithin(edits - 1, one, otherRest) ||
    isWithin(edits - 1, oneRest, otherRest) ||
    (isSwap && isWithin(edits - 1, one.slice(2), other.slice(2)))
  );
}
