/** Applications with their delivery, for the owner and for a monitor. */
import { sql } from "kysely";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import { applicationJobs, storedApplication } from "#lib/storage/queries/applications.ts";
import { type Attempt, attemptsOf } from "#lib/storage/queries/attempts.ts";
import { REACHED } from "#lib/storage/queries/outcomes.ts";
import type { JobRow, JobState, Reading } from "#lib/storage/tables.ts";

/** An application with the state of its delivery. */
export interface TrackedApplication
  extends StoredApplication,
    Pick<JobRow, "state" | "tries" | "nextAt" | "finishedAt" | "attemptsAfter"> {
  /** The channel that has reached the owner, or whose provider has the message. */
  channel: ChannelName | undefined;
}

/** Which applications the owner wants to see; everything that is left out does not narrow the list. */
export interface ListOptions {
  states?: readonly JobState[] | undefined;
  /** Those that the weekly summary of this topic lists. */
  week?: string;
  /** The newest of them. */
  limit?: number | undefined;
}

/** PostgreSQL's largest integer: more than there are. */
const ALL = 2_147_483_647;

/** Applications with the state of their delivery, the newest first. */
export async function listApplications(
  reading: Reading,
  { states, week, limit = ALL }: ListOptions,
): Promise<TrackedApplication[]> {
  const rows = await tracked(reading)
    // A list of all states needs no sort: the newest rows are the last of the table.
    .$if(states !== undefined, (query) => query.where("jobs.state", "in", states ?? []))
    .$if(week !== undefined, (query) =>
      query.where(sql<boolean>`summary_id = (select id from jobs as summary
        where summary.kind = 'weekly-summary' and summary.topic = ${week})`),
    )
    .limit(limit)
    .execute();
  return rows.map(trackedApplication);
}

/** One application with its attempts, the oldest first; undefined when there is none. */
export async function findApplication(
  reading: Reading,
  applicationId: string,
): Promise<(TrackedApplication & { attempts: Attempt[] }) | undefined> {
  const found = tracked(reading).where("applications.applicationId", "=", applicationId);
  const row = await found.executeTakeFirst();
  if (!row) return undefined;
  const attempts = await attemptsOf(reading, [row.id], true);
  return { ...trackedApplication(row), attempts: attempts.get(row.id) ?? [] };
}

export async function existingApplications(
  reading: Reading,
  applicationIds: readonly string[],
): Promise<string[]> {
  if (applicationIds.length === 0) return [];
  const found = reading.selectFrom("applications").select("applicationId");
  const rows = await found.where("applicationId", "in", applicationIds).execute();
  return rows.map((row) => row.applicationId);
}

/** Counts of applications by state. */
export interface JobCounts {
  /** Open, and nobody has them. */
  waiting: number;
  /** Open, but a provider has them, and is asked for their status. */
  sent: number;
  filed: number;
  done: number;
  givenUp: number;
  /** Time of the last one that was given up, and its fault's advice for the owner. */
  lastGivenUpAt: number | undefined;
  lastGivenUpAdvice: string | undefined;
  /** Submission time of the oldest waiting application. */
  oldestWaitingSince: number | undefined;
  /** The same without what only waits for the cap on SMS. */
  overdueSince: number | undefined;
  /** Jobs that only wait for the cap on SMS, and the time since which the oldest does. */
  waitingForCap: number;
  waitingForCapSince: number | undefined;
  /** Submission time of the oldest filed application that has reached nobody. */
  oldestFiledSince: number | undefined;
  /** Time of the last message of any kind that reached the owner. */
  lastThroughAt: number | undefined;
}

export async function countJobs(reading: Reading, now = Date.now()): Promise<JobCounts> {
  const own = sql`select 1 from attempts where attempts.job_id = jobs.id and attempts.id > jobs.attempts_after`;
  const { rows } = await sql<JobCounts>`select
      count(*) filter (where state = 'open' and not reached) as waiting,
      count(*) filter (where state = 'open' and reached) as sent,
      count(*) filter (where state = 'filed') as filed,
      count(*) filter (where state = 'done') as done,
      count(*) filter (where state = 'given-up') as given_up,
      max(finished_at) filter (where state = 'given-up') as last_given_up_at,
      (select advice from attempts where advice is not null and job_id = (select max(id) from jobs
        where state = 'given-up' and kind = 'application') order by id desc limit 1) as last_given_up_advice,
      min(enqueued_at) filter (where state = 'open' and not reached) as oldest_waiting_since,
      min(enqueued_at) filter (where state = 'open' and not reached and not capped) as overdue_since,
      count(*) filter (where state = 'open' and capped) as waiting_for_cap,
      min(enqueued_at) filter (where state = 'open' and capped) as waiting_for_cap_since,
      min(enqueued_at) filter (where state = 'filed') as oldest_filed_since,
      (select ended_at from attempts where outcome in ${REACHED} order by id desc limit 1) as last_through_at
    from (
      select state, enqueued_at, finished_at, state = 'open' and exists (${own} and outcome in ${REACHED}) as reached,
        tries = 0 and next_at > ${now} and not exists (${own}) as capped
      from jobs where kind = 'application'
    ) as each_one`.execute(reading);
  // An aggregate has one row.
  return rows[0] as JobCounts;
}

function tracked(reading: Reading) {
  const channel = sql<ChannelName | undefined>`(select channel from attempts
    where attempts.id > jobs.attempts_after and attempts.job_id = jobs.id and outcome in ${REACHED}
    order by attempts.id limit 1)`;
  return applicationJobs(reading)
    .where("jobs.kind", "=", "application")
    .select([
      "jobs.state",
      "jobs.tries",
      "jobs.nextAt",
      "jobs.finishedAt",
      "jobs.attemptsAfter",
      channel.as("channel"),
    ])
    .orderBy("jobs.id", "desc");
}

type TrackedRow = Awaited<ReturnType<ReturnType<typeof tracked>["execute"]>>[number];

function trackedApplication(row: TrackedRow): TrackedApplication {
  const { state, channel, tries, nextAt, finishedAt, attemptsAfter } = row;
  return { ...storedApplication(row), state, channel, tries, nextAt, finishedAt, attemptsAfter };
}
