/** What the owner is to be told: an application, a digest of several, an alarm, the week. */
import { type Kysely, sql, type Transaction } from "kysely";
import { DAY_MS } from "#lib/application/seoul-time.ts";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import { applicationJobs, storedApplication } from "#lib/storage/queries/applications.ts";
import { type Send, sendOf } from "#lib/storage/queries/sends.ts";
import { isHolder } from "#lib/storage/queries/worker.ts";
import type { Carrier, JobRow, JobState, SendRow, Tables } from "#lib/storage/tables.ts";

/**
 * Nothing is planned further ahead than this. A job that is due even later was planned before the clock was set back,
 * and counts as due.
 */
export const MAX_WAIT_MS = DAY_MS;
const CLOCK_SLACK_MS = 60_000;

/** A job with what was sent for it. All times are ms since the epoch. */
export interface Job {
  id: number;
  /** `application:7K3MPQ9X`, `digest:…`, `alarm:sms`, `weekly:2026-11-23`, `witness:2026-11-23`. */
  subject: string;
  first: Carrier;
  /** Failed tries, and when the next one is due. */
  tries: number;
  retryAt: number;
  nextAt: number;
  raisedAt: number;
  /** Whether it was in a digest once. */
  inDigest: boolean;
  payload: string;
  sendsAfter: number;
  /** The application; those that a digest carries. */
  applications: StoredApplication[];
  /** Since it was raised, the oldest first. */
  sends: Send[];
}

interface DueOptions {
  now: number;
  /** Those that go by this carrier first. */
  first: Carrier | undefined;
  /** Raised at or before this. */
  raisedBefore: number | undefined;
  /** These are under way. */
  except: readonly number[];
  limit: number;
}

/** The open jobs whose time has come, the oldest first. SQLite plans a query with a parameter as its limit every time. */
export async function dueJobs(database: Kysely<Tables>, options: DueOptions): Promise<Job[]> {
  const { now, first, raisedBefore, except, limit } = options;
  const { rows } = await sql<JobRow>`select * from jobs where state = 'open'
      and (next_at <= ${now} or next_at > ${now + MAX_WAIT_MS + CLOCK_SLACK_MS})
      and (digest is null or not exists (select 1 from jobs as digests
        where digests.id = jobs.digest and digests.state = 'open'))
      ${first === undefined ? sql`` : sql`and first = ${first}`}
      ${raisedBefore === undefined ? sql`` : sql`and raised_at <= ${raisedBefore}`}
      ${except.length === 0 ? sql`` : sql`and id not in (${sql.join(except)})`}
    order by id + 0 limit ${sql.lit(limit)}`.execute(database);
  return withSends(database, rows);
}

async function withSends(database: Kysely<Tables>, rows: readonly JobRow[]): Promise<Job[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const applications = await applicationJobs(database)
    .where(({ eb, or }) => or([eb("jobs.id", "in", ids), eb("jobs.digest", "in", ids)]))
    .orderBy("jobs.id")
    .execute();
  const sends = await sendsOfAll(database, rows);
  return rows.map((row) => ({
    id: row.id,
    subject: row.subject,
    first: row.first,
    tries: row.tries,
    retryAt: row.retry_at,
    nextAt: row.next_at,
    raisedAt: row.raised_at,
    inDigest: row.digest !== null,
    payload: row.payload ?? "",
    sendsAfter: row.sends_after,
    applications: applications
      .filter(({ id, digest }) => id === row.id || digest === row.id)
      .map(storedApplication),
    sends: sends
      .filter(
        (send) =>
          send.id > row.sends_after && (send.job_id === row.id || send.job_id === row.digest),
      )
      .map(sendOf),
  }));
}

async function sendsOfAll(database: Kysely<Tables>, rows: readonly JobRow[]): Promise<SendRow[]> {
  const ids = rows.flatMap(({ id, digest }) => (digest === null ? [id] : [id, digest]));
  return database
    .selectFrom("sends")
    .selectAll()
    .where("job_id", "in", ids)
    .orderBy("id")
    .execute();
}

/** What a look at a job ended with. */
export interface Verdict {
  state: JobState;
  nextAt: number;
  tries: number;
  retryAt: number;
}

/** Notes what becomes of a job, unless something has changed it since it was read: then it is looked at again. */
export async function settleJob(
  transaction: Transaction<Tables>,
  job: Pick<Job, "id" | "nextAt" | "sendsAfter">,
  { state, nextAt, tries, retryAt }: Verdict,
  { holder, now }: { holder: string; now: number },
): Promise<boolean> {
  if (!(await isHolder(transaction, holder))) return false;
  const { numUpdatedRows } = await transaction
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
    .where("sends_after", "=", job.sendsAfter)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return false;
  if (state !== "open") await settleMembers(transaction, job.id, state, now);
  return true;
}

/** What a digest carried has arrived with it, or goes out by itself. */
async function settleMembers(
  transaction: Transaction<Tables>,
  digest: number,
  state: JobState,
  now: number,
): Promise<void> {
  await transaction
    .updateTable("jobs")
    .set(state === "done" ? { state, settled_at: now } : { next_at: now, retry_at: now })
    .where("digest", "=", digest)
    .where("state", "=", "open")
    .execute();
}

/** Gives a job to the one mail that carries what the caps keep back; one that has begun to leave takes no more. */
export async function putIntoDigest(
  transaction: Transaction<Tables>,
  jobId: number,
  { dueAt, holder, now }: { dueAt: number; holder: string; now: number },
): Promise<void> {
  if (!(await isHolder(transaction, holder))) return;
  const { rows } = await sql<{
    id: number;
  }>`select id from jobs where application_id is null and subject like 'digest:%'
    and state = 'open' and next_at > ${now} and next_at <= ${dueAt}
    and not exists (select 1 from sends where sends.job_id = jobs.id) limit 1`.execute(transaction);
  const digest =
    rows[0]?.id ??
    (
      await transaction
        .insertInto("jobs")
        .values({
          ...{ subject: `digest:${jobId}-${now}`, first: "mail", state: "open" },
          ...{ next_at: dueAt, retry_at: dueAt, raised_at: dueAt },
        })
        .returning("id")
        .executeTakeFirstOrThrow()
    ).id;
  await transaction.updateTable("jobs").set({ digest }).where("id", "=", jobId).execute();
}

/** When the next open job falls due that is not due yet; undefined when there is none. */
export async function nextDueAt(
  database: Kysely<Tables>,
  now: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`select min(next_at) as at from jobs
    where state = 'open' and next_at > ${now}`.execute(database);
  return rows[0]?.at ?? undefined;
}
