import { sql } from "kysely";
import { DAY } from "#lib/application/durations.ts";
import type { Suspicion } from "#lib/application/stored-application.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import { enqueueOnce, type NewJob } from "#lib/storage/queries/enqueue.ts";
import { type AttemptResult, isReached, REACHED_OUTCOMES } from "#lib/storage/queries/outcomes.ts";
import type { AttemptRow, Db, JobRow, Trx } from "#lib/storage/tables.ts";

/** One message to one recipient. `recovered`: since this attempt, its channel has worked or a worker has started. */
export interface Attempt extends AttemptRow {
  recovered: boolean;
}

type AttemptedJob = Pick<JobRow, "id" | "applicationId" | "attemptsAfter">;

export interface Charge {
  at: number;
  segments: number;
  suspicion: Suspicion | undefined;
}

/** One attempt for each recipient. `segments`: cost of one attempt. `earliest`: when the caps allow the message. */
export interface NewAttempts {
  channel: ChannelName;
  recipients: readonly string[];
  segments: number;
  now: number;
  earliest(charges: readonly Charge[]): number;
}

/** Records attempts if the job is open and the caps allow the message. `capAt`: earliest time under the caps. */
export async function recordAttempts(trx: Trx, jobId: number, attempts: NewAttempts) {
  const { channel, recipients, segments, now, earliest } = attempts;
  const open = sql`select 1 from jobs where id = ${jobId} and state = 'open'`;
  if ((await open.execute(trx)).rows.length === 0) return { ids: [] };
  const capAt = segments === 0 ? now : await earliestSend(trx, now, earliest);
  if (capAt > now) return { ids: [], capAt };
  const begun = { jobId, channel, outcome: "sending", segments, begunAt: now } as const;
  const rows = await trx
    .insertInto("attempts")
    .values(recipients.map((recipient) => ({ ...begun, recipient })))
    .returning("id")
    .execute();
  return { ids: rows.map(({ id }) => id) };
}

/** Returns the earliest time under the caps. Reads the single charges only if their sum might exceed a cap. */
async function earliestSend(trx: Trx, now: number, earliest: NewAttempts["earliest"]) {
  // Charges from before the clock was set back have times in the future.
  const ofTheDay = sql`segments > 0 and begun_at > ${now - DAY} and begun_at < ${now + DAY}`;
  const { rows: sums } = await sql<{ segments: number | undefined }>`
    select sum(segments) as segments from attempts where ${ofTheDay}`.execute(trx);
  const atOnce = { at: now, segments: sums[0]?.segments ?? 0, suspicion: "flooding" } as const;
  if (earliest([atOnce]) <= now) return now;
  const { rows } = await sql<Charge>`
    select begun_at as at, segments, suspicion from attempts
    left join jobs on jobs.id = job_id left join applications using (application_id)
    where ${ofTheDay} order by begun_at`.execute(trx);
  return earliest(rows);
}

/** Closes a job's open attempts as `not-sent` and uncharged, because their messages were not sent. */
export async function closeAttemptsAsNotSent(trx: Trx, jobId: number): Promise<void> {
  await sql`update attempts set outcome = 'not-sent', segments = 0
    where job_id = ${jobId} and outcome = 'sending'`.execute(trx);
}

/** An attempt that failed before it was recorded has no id. */
export interface ClosedAttempt
  extends AttemptResult,
    Pick<Attempt, "channel" | "recipient" | "begunAt"> {
  id?: number | undefined;
  /** Undefined: the cost stays as recorded at the beginning of the attempt. */
  segments?: number | undefined;
}

export async function recordOutcomes(
  trx: Trx,
  job: AttemptedJob,
  closed: readonly ClosedAttempt[],
  followUps: readonly NewJob[],
  now: number,
): Promise<Attempt[]> {
  for (const attempt of closed) await closeAttempt(trx, attempt, now, job.id);
  for (const followUp of followUps) await enqueueOnce(trx, followUp, now);
  return findRelatedAttempts(trx, job);
}

/** An attempt without a job is a test message, which also counts under the caps and as evidence. */
export async function closeAttempt(trx: Trx, closed: ClosedAttempt, now: number, jobId?: number) {
  const { id, channel, recipient, begunAt, outcome, segments, providerId, fault } = closed;
  if (isReached(outcome)) await wakeFailed(trx, channel, outcome === "delivered", now);
  const { error = null, advice = null, about = null } = fault ?? {};
  const end = {
    ...{ outcome, endedAt: now, notBefore: closed.notBefore ?? null, providerId, segments },
    // A status check without a fault keeps the previous fault, unless the message counts as reached.
    ...((fault || isReached(outcome)) && { error, advice, about }),
  };
  if (id === undefined) {
    const row = { jobId, channel, recipient, begunAt, ...end, segments: segments ?? 0 };
    await trx.insertInto("attempts").values(row).execute();
  } else {
    const closing = trx.updateTable("attempts").set(end).where("id", "=", id);
    await closing.where("outcome", "in", ["sending", "unknown", "accepted"]).execute();
  }
}

/** Makes jobs due that failed on this channel since its last success. Ids are compared, because the clock may jump. */
async function wakeFailed(trx: Trx, channel: ChannelName, isDelivered: boolean, now: number) {
  const failed = isDelivered ? sql`(segments = 0 or about = 'channel')` : sql`segments = 0`;
  const through = isDelivered ? sql`('delivered')` : REACHED_OUTCOMES;
  await sql`update jobs set next_at = ${now} where state = 'open' and next_at > ${now} and id in (
    select job_id from attempts where channel = ${channel} and ${failed} and about is not null
      and id > coalesce((select max(id) from attempts
        where channel = ${channel} and outcome in ${through}), 0))`.execute(trx);
}

/** The attempts of a job and of other jobs about its application, the oldest first; all attempts if `after` is 0. */
export async function findRelatedAttempts(db: Db, job: AttemptedJob, after = job.attemptsAfter) {
  const { id, applicationId = null } = job;
  const { rows } = await sql<AttemptRow & { recovered: boolean | number }>`
    select attempts.*, attempts.id <= coalesce((select attempts_before from worker), 0)
      or exists (select 1 from attempts as later where later.channel = attempts.channel
        and later.outcome in ${REACHED_OUTCOMES} and later.id > attempts.id) as recovered
    from jobs inner join attempts on attempts.job_id = jobs.id
    where (jobs.id = ${id} or jobs.application_id = ${applicationId}) and attempts.id > ${after}
    order by attempts.id`.execute(db);
  return rows.map((row) => ({ ...row, recovered: Boolean(row.recovered) }));
}
