/** What the owner and a monitor see: applications with what became of them. */
import { sql } from "kysely";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import { applicationJobs, storedApplication } from "#lib/storage/queries/applications.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import { named } from "#lib/storage/queries/rows.ts";
import { REACHED, type Send, sendsOf } from "#lib/storage/queries/sends.ts";
import type { Carrier, JobState, Reading } from "#lib/storage/tables.ts";

/** An application with what became of it. */
export interface FollowedApplication
  extends StoredApplication,
    Pick<Job, "state" | "tries" | "nextAt" | "settledAt" | "sendsAfter"> {
  /** What has brought it to the owner, or has it now, of which a provider is asked what became of it. */
  carrier: Carrier | undefined;
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
): Promise<(FollowedApplication & { sends: Send[] }) | undefined> {
  const found = followed(reading).where("applications.application_id", "=", applicationId);
  const row = await found.executeTakeFirst();
  if (!row) return undefined;
  const sends = await sendsOf(reading, [{ ...row, sends_after: 0 }]);
  return { ...followedApplication(row), sends };
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
  const own = sql`select 1 from sends where sends.job_id = jobs.id and sends.id > jobs.sends_after`;
  const { rows } = await sql<JobCounts>`select
      count(*) filter (where state = 'open' and not reached) as waiting,
      count(*) filter (where state = 'open' and reached) as sent,
      count(*) filter (where state = 'filed') as filed,
      count(*) filter (where state = 'done') as done,
      count(*) filter (where state = 'given-up') as "givenUp",
      max(settled_at) filter (where state = 'given-up') as "lastGivenUpAt",
      (select advice from sends where advice is not null and job_id = (select max(id) from jobs
        where state = 'given-up' and application_id is not null) order by id desc limit 1) as "lastGivenUpAdvice",
      min(raised_at) filter (where state = 'open' and not reached) as "oldestWaitingSince",
      min(raised_at) filter (where state = 'open' and not reached and not held) as "overdueSince",
      min(raised_at) filter (where state = 'filed') as "oldestFiledSince",
      (select ended_at from sends where outcome in ${REACHED} order by id desc limit 1) as "lastThroughAt"
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
      "jobs.sends_after",
      sql<Carrier | null>`(select carrier from sends where sends.id > jobs.sends_after
        and (sends.job_id = jobs.id or sends.job_id = jobs.digest)
        and outcome in ${REACHED} order by sends.id limit 1)`.as("carrier"),
    ])
    .orderBy("jobs.id", "desc");
}

type FollowedRow = Awaited<ReturnType<ReturnType<typeof followed>["execute"]>>[number];

function followedApplication(row: FollowedRow): FollowedApplication {
  const { state, carrier, tries, nextAt, settledAt, sendsAfter, digest } = named(row);
  const inDigest = digest !== undefined && state === "open";
  const what = { state, carrier, tries, nextAt, settledAt, sendsAfter, inDigest };
  return { ...storedApplication(row), ...what };
}
