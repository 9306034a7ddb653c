/** The week's applications and what became of them, as the owner reads it in a mail, a text message or a terminal. */
import { koreanDay, seoulDate, seoulDateTime } from "#lib/application/seoul-time.ts";
import { ownerView } from "#lib/channels/owner-view.ts";
import { CARRIER_WORDS, DOT } from "#lib/channels/words.ts";
import { telHref } from "#lib/content/links.ts";
import type { FollowedApplication } from "#lib/storage/queries/owner.ts";
import type { Carrier } from "#lib/storage/tables.ts";

const WEEK_MS = 7 * 24 * 60 * 60_000;
/** What a mail lists; the rest is in the table that comes with it, which needs the room where there are very many. */
const LISTED = 100;
const LISTED_OF_MANY = 30;
const MANY = 200;

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

/** One application in it. */
export interface SummaryEntry {
  /** `7K3M-PQ9X` */
  number: string;
  name: string;
  /** `010-1234-5678` */
  phone: string;
  /** `tel:+821012345678` */
  tel: string;
  /** `이천 · 12월 1일(화) · 평일/오전 · 자차` */
  wish: string;
  /** `11월 18일(수) 오전 9:30` */
  received: string;
  /** `문자로 11월 18일(수) 오전 9:31 보냄` */
  fate: string;
  /** The owner has it, or a provider does. */
  arrived: boolean;
}

export interface SummaryView {
  /** `지난주 신청 5건` */
  title: string;
  /** `11월 16일(월) ~ 11월 22일(일)` */
  period: string;
  /** Sentences: what became of them, or what it means that there is none. */
  lead: string;
  /** What was not sent comes first, then the oldest. */
  entries: SummaryEntry[];
  /** What looks automated. */
  suspects: SummaryEntry[];
  /** How many are in the table alone. */
  unlisted: number;
  /** When the next one comes; empty when nobody has to wait for it. */
  next: string;
}

export function summaryView(summary: WeeklySummary): SummaryView {
  const { from, until, nextAt, applications, now } = summary;
  const wanted = wantedIn(summary).toSorted(
    (one, other) => Number(fateOf(other) === "given-up") - Number(fateOf(one) === "given-up"),
  );
  const suspects = applications.filter(({ suspicion }) => suspicion !== undefined);
  const room = applications.length > MANY ? LISTED_OF_MANY : LISTED;
  const listed = wanted.slice(0, room);
  const listedSuspects = suspects.slice(0, room - listed.length);
  const toEntry = (followed: FollowedApplication) => entryOf(followed, now);
  const day = (time: number) => koreanDay(seoulDate(time), now);
  return {
    title: `${spanName(summary)} 신청 ${wanted.length}건`,
    period: `${day(from)} ~ ${day(until - 1)}`,
    lead:
      wanted.length === 0 ? `${spanName(summary)}에는 신청이 없었습니다.` : whatBecameOf(wanted),
    entries: listed.map(toEntry),
    suspects: listedSuspects.map(toEntry),
    unlisted: applications.length - listed.length - listedSuspects.length,
    next:
      nextAt === undefined
        ? ""
        : `다음 소식은 ${day(nextAt)} 오전 9시에 보내 드립니다. 그날 오지 않으면 관리자에게 알려 주세요.`,
  };
}

/** What a person wrote, as far as anybody can say. */
function wantedIn({ applications }: WeeklySummary): FollowedApplication[] {
  return applications.filter(({ suspicion }) => suspicion === undefined);
}

/** `지난주`, `지난 2주`. A summary that a person asked for covers seven days up to now. */
function spanName({ from, until, nextAt }: WeeklySummary): string {
  if (nextAt === undefined) return "지난 7일";
  const weeks = Math.round((until - from) / WEEK_MS);
  return weeks > 1 ? `지난 ${weeks}주` : "지난주";
}

type Fate = "arrived" | "on-its-way" | "filed" | "given-up";

function fateOf({ state, carrier }: Pick<FollowedApplication, "state" | "carrier">): Fate {
  if (state === "filed" || state === "given-up") return state;
  return state === "done" || carrier !== undefined ? "arrived" : "on-its-way";
}

function whatBecameOf(applications: readonly FollowedApplication[]): string {
  const count = (fate: Fate) => applications.filter((each) => fateOf(each) === fate).length;
  const [arrived, underWay, filed, givenUp] = [
    count("arrived"),
    count("on-its-way"),
    count("filed"),
    count("given-up"),
  ];
  if (arrived === applications.length) return `${applications.length}건 모두 보내 드렸습니다.`;
  return [
    arrived > 0 ? `${applications.length}건 가운데 ${arrived}건은 보내 드렸습니다.` : "",
    underWay > 0 ? `${underWay}건은 아직 보내는 중입니다.` : "",
    filed > 0 ? `${filed}건은 보낼 방법이 설정되지 않아 서버에 보관하고 있습니다.` : "",
    givenUp > 0 ? `${givenUp}건은 보내지 못했으니 먼저 전화해 주세요.` : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function entryOf(followed: FollowedApplication, now: number): SummaryEntry {
  const view = ownerView(followed);
  return {
    number: view.number,
    name: view.name,
    phone: view.phone,
    tel: telHref(followed.application.phone),
    wish: [view.region, view.date, view.time, view.car].join(DOT),
    received: seoulDateTime(followed.submittedAt, now),
    fate: fateText(followed, now),
    arrived: fateOf(followed) === "arrived",
  };
}

function fateText(followed: FollowedApplication, now: number): string {
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
  const missing = wanted.filter((followed) => fateOf(followed) !== "arrived").length;
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
  const by = (carrier: Carrier) =>
    wanted.filter((each) => fateOf(each) === "arrived" && each.carrier === carrier).length;
  const missing = wanted.filter((each) => fateOf(each) !== "arrived").length;
  const parts = [
    ["문자", by("sms")],
    ["메일", by("mail")],
    ["못 보냄", missing],
  ] as const;
  const counts = parts.flatMap(([word, count]) => (count > 0 ? [`${word} ${count}`] : []));
  const list = counts.length === 0 ? "" : `(${counts.join(", ")})`;
  return `${spanName(summary)} 신청 ${wanted.length}건${list}. 메일을 못 받으셨으면 스팸함을 봐 주세요.`;
}
