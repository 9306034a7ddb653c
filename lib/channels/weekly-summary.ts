/** The week's applications and what became of them, as the owner reads it in a mail, a text message or a terminal. */

import type { FollowedApplication, Transport } from "#lib/application/delivery.ts";
import { koreanDay, seoulDate, seoulDateTime } from "#lib/application/seoul-time.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import { ownerView } from "#lib/channels/owner-view.ts";
import { DOT } from "#lib/channels/words.ts";
import { telHref } from "#lib/content/links.ts";

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

/** The most that a mail lists; the rest is in the table that comes with it. */
const LISTED = 100;
const BY: Readonly<Record<Transport, string>> = { sms: "문자로", mail: "메일로", file: "파일로" };

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
  const isGivenUp = (followed: FollowedApplication) => fateOf(followed) === "given-up";
  const wanted = applications
    .filter(({ suspicion }) => suspicion === undefined)
    .toSorted((one, other) => Number(isGivenUp(other)) - Number(isGivenUp(one)));
  const suspects = applications.filter(({ suspicion }) => suspicion !== undefined);
  const listed = wanted.slice(0, LISTED);
  const listedSuspects = suspects.slice(0, LISTED - listed.length);
  const toEntry = (followed: FollowedApplication) => entryOf(followed, now);
  const day = (time: number) => koreanDay(seoulDate(time), now);
  return {
    title: `${spanName(summary)} 신청 ${wanted.length}건`,
    period: `${day(from)} ~ ${day(until - 1)}`,
    lead: wanted.length === 0 ? nothingCame(summary) : whatBecameOf(wanted),
    entries: listed.map(toEntry),
    suspects: listedSuspects.map(toEntry),
    unlisted: applications.length - listed.length - listedSuspects.length,
    next:
      nextAt === undefined
        ? ""
        : `다음 소식은 ${day(nextAt)} 오전 9시에 보내 드립니다. 그날 오지 않으면 관리자에게 알려 주세요.`,
  };
}

/** `지난주`, `지난 2주`. A summary that a person asked for covers seven days up to now. */
function spanName({ from, until, nextAt }: WeeklySummary): string {
  if (nextAt === undefined) return "지난 7일";
  const weeks = Math.round((until - from) / (7 * 24 * 60 * 60_000));
  return weeks > 1 ? `지난 ${weeks}주` : "지난주";
}

function nothingCame(summary: WeeklySummary): string {
  return `${spanName(summary)}에는 신청이 없었습니다.`;
}

type Fate = "arrived" | "on-its-way" | "filed" | "given-up";

function fateOf({ state }: Pick<FollowedApplication, "state">): Fate {
  if (state === "delivered" || state === "sent") return "arrived";
  if (state === "needs-owner") return "given-up";
  return state === "filed" ? "filed" : "on-its-way";
}

/** How many of them arrived, are on their way, lie in files, were given up. */
function fatesOf(applications: readonly FollowedApplication[]): Record<Fate, number> {
  const counts = { arrived: 0, "on-its-way": 0, filed: 0, "given-up": 0 };
  for (const followed of applications) counts[fateOf(followed)] += 1;
  return counts;
}

function whatBecameOf(applications: readonly FollowedApplication[]): string {
  const { arrived, "on-its-way": onTheirWay, filed, "given-up": givenUp } = fatesOf(applications);
  if (arrived === applications.length) return `${applications.length}건 모두 보내 드렸습니다.`;
  return [
    arrived > 0 ? `${applications.length}건 가운데 ${arrived}건은 보내 드렸습니다.` : "",
    onTheirWay > 0 ? `${onTheirWay}건은 아직 보내는 중입니다.` : "",
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

function fateText({ state, transport, settledAt, channel }: FollowedApplication, now: number) {
  const by = BY[transport ?? channel];
  switch (state) {
    case "delivered":
      return settledAt === undefined ? `${by} 보냄` : `${by} ${seoulDateTime(settledAt, now)} 보냄`;
    case "sent":
      return `${by} 보냈고, 도착을 확인하고 있습니다`;
    case "filed":
      return "문자와 메일이 설정되지 않아 서버에 보관하고 있습니다";
    case "needs-owner":
      return "보내지 못했습니다. 전화해 주세요";
    default:
      return "아직 보내는 중입니다";
  }
}

/** The same in one text message of at most 70 characters. Where it stands in for the mail, it says so first. */
export function summaryText(summary: WeeklySummary, insteadOf?: Channel): string {
  const text = shortly(summary);
  return insteadOf === "mail" ? `메일을 보내지 못해 문자로 알립니다. ${text}` : text;
}

function shortly(summary: WeeklySummary): string {
  const wanted = summary.applications.filter(({ suspicion }) => suspicion === undefined);
  const { arrived } = fatesOf(wanted);
  const span = spanName(summary);
  if (wanted.length === 0)
    return `${span}에는 운전연수 신청이 없었습니다. 문자는 잘 가고 있습니다.`;
  if (arrived < wanted.length)
    return `${span} 신청 ${wanted.length}건 중 ${wanted.length - arrived}건을 아직 보내지 못했습니다. 관리자에게 알려 주세요.`;
  const bySms = wanted.every(({ transport, channel }) => (transport ?? channel) === "sms");
  return `${span} 신청 ${wanted.length}건을 모두 ${bySms ? "문자로 " : ""}보냈습니다. 빠진 것이 있으면 알려 주세요.`;
}
