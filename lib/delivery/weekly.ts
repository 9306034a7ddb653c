/** The summary of the week on Mondays, as jobs: with it the owner notices an application that never arrived. */
import { DAY_MS, SEOUL_OFFSET_MS, seoulDate, WEEK_MS } from "#lib/application/seoul-time.ts";
import type { WeeklySummary } from "#lib/channels/channel.ts";
import type { Channels } from "#lib/channels/registry.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import type { Raised } from "#lib/storage/queries/notices.ts";
import type { Store } from "#lib/storage/store.ts";

/** The epoch was a Thursday, three days after a Monday. */
const MONDAY_SHIFT_MS = 3 * DAY_MS;
/** It is sent on Monday at 09:00, whatever the time zone of the host. */
const NINE_MS = 9 * 60 * 60_000;
/** After Wednesday, 09:00, it is not made up for: the next one covers both weeks. */
const MADE_UP_FOR_MS = NINE_MS + 2 * DAY_MS;

export interface WeekNeeds {
  store: Pick<Store, "lastWeeks" | "lastJobBefore" | "list">;
  now: () => number;
}

/** What a week's job covers. */
interface Coverage {
  /** Applications by the numbers of their jobs: a clock that was wrong leaves none out. */
  after: number;
  upTo: number;
  /** The same in days, for the title: up to Monday, 00:00 in Seoul. */
  from: number;
  until: number;
}

/** The start of the latest Monday whose 09:00 is not after `now`, in Seoul. */
function mondayOf(now: number): number {
  const since = now - NINE_MS;
  return since - ((since + SEOUL_OFFSET_MS + MONDAY_SHIFT_MS) % WEEK_MS);
}

/** This Monday's summary, until Wednesday; and once it has gone by mail, a text message that says so. */
export async function weekNow({
  store,
  channels,
  now,
}: WeekNeeds & { channels: Channels }): Promise<Raised | undefined> {
  const monday = mondayOf(now());
  if (now() >= monday + MADE_UP_FOR_MS) return undefined;
  const name = seoulDate(monday);
  const weeks = await store.lastWeeks();
  const own = weeks.find(({ subject }) => subject === `weekly:${name}`);
  if (own === undefined) {
    // One that a clock ahead of its time has raised covers these applications too.
    if (weeks.some(({ state }) => state === "open")) return undefined;
    const payload = JSON.stringify(await coverage(monday, weeks[0], store));
    return { payload, subject: `weekly:${name}`, first: "mail" };
  }
  const isWitnessed = own.mailed && channels.sms !== undefined && channels.mail !== undefined;
  if (!isWitnessed) return undefined;
  return { payload: own.payload ?? "", subject: `witness:${name}`, first: "sms" };
}

async function coverage(
  until: number,
  last: Pick<Job, "payload" | "state"> | undefined,
  store: WeekNeeds["store"],
): Promise<Coverage> {
  const before = last && coverageIn(last);
  // One that was left out is made up for from where it began.
  const begin = last?.state === "done" ? { after: before?.upTo, from: before?.until } : before;
  const after = begin?.after ?? (await store.lastJobBefore(until - WEEK_MS));
  const upTo = Math.max(after, await store.lastJobBefore(until));
  return { after, upTo, from: Math.min(begin?.from ?? until, until - WEEK_MS), until };
}

function coverageIn({ payload }: Pick<Job, "payload">): Coverage {
  return JSON.parse(payload ?? "");
}

/** Whether it is too late to make up for it. */
export const isLate = (job: Job, now: number) => now >= coverageIn(job).until + MADE_UP_FOR_MS;

export async function summaryOf(job: Job, { store, now }: WeekNeeds): Promise<WeeklySummary> {
  const { from, until, ...range } = coverageIn(job);
  return { from, until, applications: (await store.list(range)).toReversed(), now: now() };
}
