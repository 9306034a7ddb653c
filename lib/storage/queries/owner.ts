/** What the owner and a monitor see: applications with what became of them. */
import { sql } from "kysely";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import { applicationJobs, storedApplication } from "#lib/storage/queries/applications.ts";
import { type Attempt, attemptsOf, REACHED } from "#lib/storage/queries/attempts.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import { named } from "#lib/storage/queries/rows.ts";
import type { ChannelName, JobState, Reading } from "#lib/storage/tables.ts";

/** An application with what became of it. */
export interface FollowedApplication
  extends StoredApplication,
    Pick<Job, "state" | "tries" | "nextAt" | "settledAt" | "attemptsAfter"> {
  /** What has brought it to the owner, or has it now, of which a provider is asked what became of it. */
  channel: ChannelName | undefined;
  /** It goes out together with others in one mail, because the cap on SMS was reached. */
  inDigest: boolean;
}

/** Which applications the owner wants to see; everything that is left out does not narrow the list. */
export interface ListOptions {
  states?: readonly JobState[] | undefined;
  /** The numbers of their jobs: after the first, up to and including the last. */
  after?: number;
  upTo?: number;
  /** The newest of them. */
  limit?: number | undefined;
}

/** PostgreSQL's largest integer: more than there are. */
const ALL = 2_147_483_647;

/** Applications with what became of them, the newest first. */
export async function listApplications(
  reading: Reading,
  { states, after = 0, upTo = ALL, limit = ALL }: ListOptions,
): Promise<FollowedApplication[]> {
  const rows = await followed(reading)
    // Without it the newest are the last of the table: nothing is sorted.
    .$if(states !== undefined, (query) => query.where("jobs.state", "in", states ?? []))
    .where("jobs.id", ">", after)
    .where("jobs.id", "<=", upTo)
    .limit(limit)
    .execute();
  return rows.map(followedApplication);
}

/** One application, and each message that was begun for it, the oldest first; undefined when there is none. */
export async function findApplication(
  reading: Reading,
  applicationId: string,
): Promise<(FollowedApplication & { attempts: Attempt[] }) | undefined> {
  const found = followed(reading).where("applications.application_id", "=", applicationId);
  const row = await found.executeTakeFirst();
  if (!row) return undefined;
  const attempts = await attemptsOf(reading, [{ ...row, attempts_after: 0 }]);
  return { ...followedApplication(row), attempts };
}

/** Which of these applications are in the store. */
export async function existingApplications(
  reading: Reading,
  applicationIds: readonly string[],
): Promise<string[]> {
  if (applicationIds.length === 0) return [];
  const found = reading.selectFrom("applications").select("application_id");
  const rows = await found.where("application_id", "in", applicationIds).execute();
  return rows.map((row) => row.application_id);
}

/** Applications by where they stand. */
export interface JobCounts {
  /** Open, and nobody has them. */
  waiting: number;
  /** Open, but somebody has them: a provider is asked what became of the message, or the whole of it follows. */
  sent: number;
  filed: number;
  done: number;
  givenUp: number;
  /** When the last one was given up, and what its last fault asks the owner to do. */
  lastGivenUpAt: number | undefined;
  lastGivenUpAdvice: string | undefined;
  /** When the oldest application came in that waits. */
  oldestWaitingSince: number | undefined;
  /** The same without what only waits for the cap on SMS. */
  overdueSince: number | undefined;
  /** When the oldest application came in that lies in a file and has reached nobody. */
  oldestFiledSince: number | undefined;
  /** When the last message got through to the owner, whatever it was. */
  lastThroughAt: number | undefined;
}

export async function countJobs(reading: Reading, now = Date.now()): Promise<JobCounts> {
  const own = sql`select 1 from attempts where attempts.job_id = jobs.id and attempts.id > jobs.attempts_after`;
  const { rows } = await sql<JobCounts>`select
      count(*) filter (where state = 'open' and not reached) as waiting,
      count(*) filter (where state = 'open' and reached) as sent,
      count(*) filter (where state = 'filed') as filed,
      count(*) filter (where state = 'done') as done,
      count(*) filter (where state = 'given-up') as "givenUp",
      max(settled_at) filter (where state = 'given-up') as "lastGivenUpAt",
      (select advice from attempts where advice is not null and job_id = (select max(id) from jobs
        where state = 'given-up' and application_id is not null) order by id desc limit 1) as "lastGivenUpAdvice",
      min(raised_at) filter (where state = 'open' and not reached) as "oldestWaitingSince",
      min(raised_at) filter (where state = 'open' and not reached and not held) as "overdueSince",
      min(raised_at) filter (where state = 'filed') as "oldestFiledSince",
      (select ended_at from attempts where outcome in ${REACHED} order by id desc limit 1) as "lastThroughAt"
    from (
      select state, raised_at, settled_at, state = 'open' and exists (${own} and outcome in ${REACHED}) as reached,
        exists (select 1 from jobs as digests where digests.id = jobs.digest and digests.state = 'open')
          or (tries = 0 and next_at > ${now} and not exists (${own})) as held
      from jobs where application_id is not null
    ) as each_one`.execute(reading);
  // The one row of an aggregate; a time that is null becomes undefined.
  return named(rows[0] as JobCounts);
}

function followed(reading: Reading) {
  return applicationJobs(reading)
    .select([
      "jobs.state",
      "jobs.tries",
      "jobs.next_at",
      "jobs.settled_at",
      "jobs.attempts_after",
      sql<ChannelName | null>`(select channel from attempts where attempts.id > jobs.attempts_after
        and (attempts.job_id = jobs.id or attempts.job_id = jobs.digest)
        and outcome in ${REACHED} order by attempts.id limit 1)`.as("channel"),
    ])
    .orderBy("jobs.id", "desc");
}

type FollowedRow = Awaited<ReturnType<ReturnType<typeof followed>["execute"]>>[number];

function followedApplication(row: FollowedRow): FollowedApplication {
  const { state, channel, tries, nextAt, settledAt, attemptsAfter, digest } = named(row);
  const inDigest = digest !== undefined && state === "open";
  const what = { state, channel, tries, nextAt, settledAt, attemptsAfter, inDigest };
  return { ...storedApplication(row), ...what };
}
