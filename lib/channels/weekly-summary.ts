/** The week's applications and what became of them, as the owner reads it in a mail or a text message. */
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import { CARRIER_WORDS } from "#lib/channels/words.ts";
import type { FollowedApplication } from "#lib/storage/queries/owner.ts";
import type { Carrier } from "#lib/storage/tables.ts";

const WEEK_MS = 7 * 24 * 60 * 60_000;

/** What a summary is made of. Times are ms since the epoch. */
export interface WeeklySummary {
  /** Names it: `2026-11-23`, the Monday on which it is due. */
  id: string;
  /** What came in from `from` up to `until`; whole weeks of Seoul, unless a person asked for it. */
  from: number;
  until: number;
  /** When the next one comes; undefined when there is none to wait for. */
  nextAt: number | undefined;
  /** The oldest first. */
  applications: readonly FollowedApplication[];
  now: number;
}

type Became = Pick<FollowedApplication, "state" | "carrier">;
/** `arrived`: the owner has it, or a provider does. */
export type Fate = "arrived" | "on-its-way" | "filed" | "given-up";

export function fateOf({ state, carrier }: Became): Fate {
  if (state === "filed" || state === "given-up") return state;
  return state === "done" || carrier !== undefined ? "arrived" : "on-its-way";
}

export const countOf = (applications: readonly Became[], fate: Fate) =>
  applications.filter((each) => fateOf(each) === fate).length;

/** What a person wrote, as far as anybody can say. */
export function wantedIn({ applications }: Pick<WeeklySummary, "applications">) {
  return applications.filter(({ suspicion }) => suspicion === undefined);
}

/** `지난주`, `지난 2주`. A summary that a person asked for covers seven days up to now. */
export function spanName({ from, until, nextAt }: WeeklySummary): string {
  if (nextAt === undefined) return "지난 7일";
  const weeks = Math.round((until - from) / WEEK_MS);
  return weeks > 1 ? `지난 ${weeks}주` : "지난주";
}

/** `문자로 11월 18일(수) 오전 9:31 보냄` */
export function fateText(followed: FollowedApplication, now: number): string {
  const { state, carrier, settledAt } = followed;
  const by = carrier === undefined ? "" : `${CARRIER_WORDS[carrier]}로 `;
  const fate = fateOf(followed);
  if (fate === "on-its-way") return "아직 보내는 중입니다";
  if (fate === "filed") return "문자와 메일이 설정되지 않아 서버에 보관하고 있습니다";
  if (fate === "given-up") return "보내지 못했습니다. 전화해 주세요";
  if (state === "open") return `${by}보냈고, 도착을 확인하고 있습니다`;
  return `${by}${settledAt === undefined ? "" : `${seoulDateTime(settledAt, now)} `}보냄`;
}

/** The week in one text message, where there is no mail. In place of one that did not go out it says so first. */
export function summaryText(summary: WeeklySummary, insteadOf?: Carrier): string {
  const wanted = wantedIn(summary);
  const missing = wanted.length - countOf(wanted, "arrived");
  const span = spanName(summary);
  const instead = insteadOf === "mail" ? "메일을 보내지 못했습니다. " : "";
  if (wanted.length === 0)
    return `${instead}${span}에는 운전연수 신청이 없었습니다. 문자는 잘 가고 있습니다.`;
  return missing > 0
    ? `${instead}${span} 신청 ${wanted.length}건 중 ${missing}건을 아직 보내지 못했습니다. 관리자에게 알려 주세요.`
    : `${instead}${span} 신청 ${wanted.length}건을 모두 보냈습니다. 빠진 것이 있으면 알려 주세요.`;
}

/** By SMS, beside the mail: with it the owner misses a mail that lies in a spam folder. */
export function witnessText(summary: WeeklySummary): string {
  const wanted = wantedIn(summary);
  const arrived = wanted.filter((each) => fateOf(each) === "arrived");
  const by = (name: Carrier) => arrived.filter(({ carrier }) => carrier === name).length;
  const parts: [string, number][] = [
    ["문자", by("sms")],
    ["메일", by("mail")],
    ["못 보냄", wanted.length - arrived.length],
  ];
  const counts = parts.flatMap(([word, count]) => (count > 0 ? [`${word} ${count}`] : []));
  const list = counts.length === 0 ? "" : `(${counts.join(", ")})`;
  return `${spanName(summary)} 신청 ${wanted.length}건${list}. 메일을 못 받으셨으면 스팸함을 봐 주세요.`;
}
