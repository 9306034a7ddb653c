/** The summary of the week on Mondays, as jobs: with it the owner notices an application that never arrived. */
import type { WeeklySummary } from "#lib/channels/carrier.ts";
import type { Carriers } from "#lib/channels/carriers.ts";
import type { Clock } from "#lib/clock.ts";
import { nextSummaryAt, type SummaryWeek, summaryWeek, WEEK_MS } from "#lib/delivery/week.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import type { Raised, RaisedWeek } from "#lib/storage/queries/notices.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

export interface WeekNeeds {
  store: Pick<DeliveryStore, "lastWeeks" | "lastJobBefore" | "applicationsBetween">;
  now: Clock;
}

/** What a week's job covers. */
interface Coverage {
  /** Applications by the numbers of their jobs: a clock that was wrong leaves none out. */
  after: number;
  upTo: number;
  /** The same in days, for the title. */
  from: number;
  until: number;
  /** After this it is not made up for: the next one covers both weeks. */
  lateAt: number;
  nextAt: number;
}

/** This Monday's summary, until Wednesday; and once it has gone by mail, a text message that says so. */
export async function weekNow({
  store,
  carriers,
  now,
}: WeekNeeds & { carriers: Carriers }): Promise<Raised | undefined> {
  const week = summaryWeek(now());
  if (now() >= week.lateAt) return undefined;
  const weeks = await store.lastWeeks();
  const own = weeks.find(({ subject }) => subject === `weekly:${week.monday}`);
  const raised = { causeAt: undefined, payload: own?.payload ?? "" };
  if (own === undefined) {
    // One that a clock ahead of its time has raised covers these applications too.
    if (weeks.some(({ state }) => state === "open")) return undefined;
    const payload = JSON.stringify(await coverage(week, weeks, store));
    return { ...raised, subject: `weekly:${week.monday}`, first: "mail", payload };
  }
  const isWitnessed = own.mailed && carriers.sms !== undefined && carriers.mail !== undefined;
  return isWitnessed ? { ...raised, subject: `witness:${week.monday}`, first: "sms" } : undefined;
}

async function coverage(
  week: SummaryWeek,
  weeks: readonly RaisedWeek[],
  store: WeekNeeds["store"],
): Promise<Coverage> {
  const { until, lateAt } = week;
  const [last] = weeks;
  const before = last && coverageIn(last);
  // One that was left out is made up for from where it began.
  const begin =
    last?.state === "done"
      ? { after: before?.upTo, from: before?.until }
      : { after: before?.after, from: before?.from };
  const after = begin.after ?? (await store.lastJobBefore(until - WEEK_MS));
  return {
    after,
    upTo: Math.max(after, await store.lastJobBefore(until)),
    from: Math.min(begin.from ?? until, until - WEEK_MS),
    until,
    lateAt,
    nextAt: nextSummaryAt(week),
  };
}

function coverageIn({ payload }: { payload: string }): Coverage {
  return JSON.parse(payload);
}

/** Whether it is too late to make up for it. */
export const isLate = (job: Job, now: number) => now >= coverageIn(job).lateAt;

export async function summaryOf(job: Job, { store, now }: WeekNeeds): Promise<WeeklySummary> {
  const { from, until, nextAt, ...range } = coverageIn(job);
  const applications = await store.applicationsBetween(range);
  return { id: job.subject.split(":")[1] ?? "", from, until, nextAt, applications, now: now() };
}
