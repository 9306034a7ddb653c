/** What the owner is to be told: an application, a digest of several, an alarm, the week. */
import { sql } from "kysely";
import { DAY_MS } from "#lib/application/seoul-time.ts";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import { applicationJobs, storedApplication } from "#lib/storage/queries/applications.ts";
import { type Attempt, attemptsOf } from "#lib/storage/queries/attempts.ts";
import { type Named, named } from "#lib/storage/queries/rows.ts";
import type { ChannelName, JobRow, Reading, Writing } from "#lib/storage/tables.ts";

/**
 * Nothing is planned further ahead than this. A job that is due even later was planned before the clock was set back,
 * and counts as due.
 */
export const MAX_WAIT_MS = DAY_MS;
const CLOCK_SLACK_MS = 60_000;

/** A job with what was sent for it. */
export interface Job extends Named<JobRow> {
  /** The application; those that a digest carries. */
  applications: StoredApplication[];
  /** Since it was raised, the oldest first. */
  attempts: Attempt[];
}

export interface DueOptions {
  now: number;
  /** Those that go by this channel first, and those that were raised at or before a time; undefined: all. */
  first?: ChannelName | undefined;
  orRaisedBefore?: number | undefined;
  limit: number;
}

/** The open jobs whose time has come, the oldest first. SQLite plans a query with a parameter as its limit every time. */
export async function dueJobs(
  reading: Reading,
  { now, first, orRaisedBefore = 0, limit }: DueOptions,
): Promise<Job[]> {
  const { rows } = await sql<JobRow>`select * from jobs where state = 'open'
      and (next_at <= ${now} or next_at > ${now + MAX_WAIT_MS + CLOCK_SLACK_MS})
      and (digest is null or not exists (select 1 from jobs as digests
        where digests.id = jobs.digest and digests.state = 'open'))
      ${first === undefined ? sql`` : sql`and (first = ${first} or raised_at <= ${orRaisedBefore})`}
    order by id + 0 limit ${sql.lit(limit)}`.execute(reading);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const applications = await applicationJobs(reading)
    .where(({ eb, or }) => or([eb("jobs.id", "in", ids), eb("jobs.digest", "in", ids)]))
    .orderBy("jobs.id")
    .execute();
  const attempts = await attemptsOf(reading, rows);
  return rows.map((row) => ({
    ...named(row),
    applications: applications
      .filter(({ id, digest }) => id === row.id || digest === row.id)
      .map(storedApplication),
    attempts: attempts.filter(
      ({ id, jobId }) => id > row.attempts_after && (jobId === row.id || jobId === row.digest),
    ),
  }));
}

/** What a look at a job ended with. */
export type Verdict = Pick<Job, "state" | "nextAt" | "tries" | "retryAt">;

/** Notes what becomes of a job, unless something has changed it since it was read: then it is looked at again. */
export async function settleJob(
  writing: Writing,
  job: Pick<Job, "id" | "nextAt" | "attemptsAfter">,
  { state, nextAt, tries, retryAt }: Verdict,
  now: number,
): Promise<void> {
  const { numUpdatedRows } = await writing
    .updateTable("jobs")
    .set({
      state,
      tries,
      next_at: Math.min(nextAt, now + MAX_WAIT_MS),
      retry_at: Math.min(retryAt, now + MAX_WAIT_MS),
      settled_at: state === "open" ? null : now,
    })
    .where("id", "=", job.id)
    .where("state", "=", "open")
    .where("next_at", "=", job.nextAt)
    .where("attempts_after", "=", job.attemptsAfter)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n || state === "open") return;
  // What a digest carried has arrived with it, or goes out by itself.
  await writing
    .updateTable("jobs")
    .set(state === "done" ? { state, settled_at: now } : { next_at: now, retry_at: now })
    .where("digest", "=", job.id)
    .where("state", "=", "open")
    .execute();
}

/** Gives a job to the one mail that carries what the caps keep back; one that has begun to leave takes no more. */
export async function putIntoDigest(
  writing: Writing,
  jobId: number,
  { dueAt, now }: { dueAt: number; now: number },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from jobs
    where application_id is null and subject like 'digest:%' and state = 'open'
    and next_at > ${now} and next_at <= ${dueAt}
    and not exists (select 1 from attempts where attempts.job_id = jobs.id) limit 1`.execute(
    writing,
  );
  const times = { next_at: dueAt, retry_at: dueAt, raised_at: dueAt };
  const made = {
    subject: `digest:${jobId}-${now}`,
    first: "mail",
    state: "open",
    ...times,
  } as const;
  const [digest] =
    rows.length > 0
      ? rows
      : await writing.insertInto("jobs").values(made).returning("id").execute();
  await writing.updateTable("jobs").set({ digest: digest?.id }).where("id", "=", jobId).execute();
}

/** When the next open job falls due that is not due yet; undefined when there is none. */
export async function nextDueAt(reading: Reading, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`select min(next_at) as at from jobs
    where state = 'open' and next_at > ${now}`.execute(reading);
  return rows[0]?.at ?? undefined;
}
