import type { SettingWarning } from "#lib/env-file.ts";
import { environment } from "#lib/environment.ts";

const SETTINGS = Object.keys(environment.shape);
/** A name with a prefix of our settings, or those of similar programs, is meant for this site. */
const FAMILIES =
  /^(SMS|TWILIO|SMTP|E?MAIL|ADDRESS|BUSINESS|FACT|PRIVACY|DATABASE|DB)_|^POSTGRES(QL)?_UR[IL]$/;
/** Names that Compose and Node read from `.env`. */
const OF_OTHERS = /^(COMPOSE|DOCKER)_|^(POSTGRES_PASSWORD|SITE_IMAGE|TZ)$/;
/** Names with which Kubernetes describes a service: `DB_SERVICE_HOST`, `DB_PORT_5432_TCP_ADDR`. */
const OF_SERVICES = /_(SERVICE_(HOST|PORT)|PORT_\d+_)/;

/** `fromFile`: the names in `.env`, which should contain only settings. */
export function findMisspeltSettings(
  names: readonly string[],
  fromFile: readonly string[],
): SettingWarning[] {
  return names.flatMap((name): SettingWarning[] => {
    if (SETTINGS.includes(name) || OF_SERVICES.test(name)) return [];
    const isInFile = fromFile.includes(name);
    const meant = nearestSetting(name, isInFile && name.length > 5 ? 2 : 1);
    const isOurs = FAMILIES.test(name.toUpperCase()) || (isInFile && !OF_OTHERS.test(name));
    if (!meant && !isOurs) return [];
    const advice = meant
      ? `${meant} 설정의 오타인 것 같습니다.`
      : ".env.example에서 이름을 확인해 주세요.";
    return [
      [
        `${name}: 없는 설정이라 쓰이지 않습니다. ${advice}`,
        `${name} is not a setting and has no effect${meant ? `, perhaps ${meant} is meant` : ""}`,
      ],
    ];
  });
}

/** Case and punctuation are ignored. */
function nearestSetting(name: string, most: number): string | undefined {
  const plain = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const distances = SETTINGS.map((setting) => {
    const [one, other] = [plain(name), plain(setting)];
    const isFar = Math.abs(one.length - other.length) > most;
    return isFar ? Number.POSITIVE_INFINITY : editDistance(one, other);
  });
  const least = Math.min(...distances);
  return least <= most ? SETTINGS[distances.indexOf(least)] : undefined;
}

/** The number of letters that are inserted, deleted, replaced or swapped with their neighbour. */
function editDistance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row++) {
    const costs = [row];
    rows.push(costs);
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      costs.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
}
