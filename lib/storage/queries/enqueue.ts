import { sql } from "kysely";
import { MINUTE } from "#lib/application/durations.ts";
import { REACHED_OUTCOMES } from "#lib/storage/queries/outcomes.ts";
import type { Db, JobRow, Trx } from "#lib/storage/tables.ts";

export type NewJob = Pick<JobRow, "kind" | "topic" | "preferredChannel"> &
  Partial<Pick<JobRow, "applicationId" | "text" | "repeats" | "attemptsAfter">>;

export const dueNowColumns = (now: number) =>
  ({ state: "open", tries: 0, nextAt: now, retryAt: now, enqueuedAt: now }) as const;

/** A value of `attemptsAfter` that excludes all earlier attempts. */
const LAST_ATTEMPT = sql<number>`(select coalesce(max(id), 0) from attempts)`;

/** Returns the id of the new job, or undefined if a job of this kind and topic exists. */
export async function enqueueOnce(trx: Trx, job: NewJob, now: number): Promise<number | undefined> {
  const inserted = await trx
    .insertInto("jobs")
    .values({ ...job, ...dueNowColumns(now) })
    .onConflict((conflict) => conflict.columns(["kind", "topic"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted?.id;
}

/** Restarts an earlier job of this kind and topic, whose attempts then no longer count. */
export async function enqueueOrRestart(trx: Trx, job: NewJob, now: number): Promise<void> {
  const enqueued = { ...job, ...dueNowColumns(now) };
  const restarted = { ...enqueued, attemptsAfter: LAST_ATTEMPT, finishedAt: null };
  await trx
    .insertInto("jobs")
    .values(enqueued)
    .onConflict((conflict) => conflict.columns(["kind", "topic"]).doUpdateSet(restarted))
    .execute();
}

/** `sentAt`: time at which the job's last attempt began. `reached`: number of its messages that reached the owner. */
export interface EarlierJob extends Pick<JobRow, "state" | "finishedAt"> {
  sentAt: number | undefined;
  reached: number;
}

export async function findEarlierJob(db: Db, { kind, topic }: Pick<NewJob, "kind" | "topic">) {
  const { rows } = await sql<EarlierJob>`
    select state, finished_at, max(attempts.begun_at) as sent_at,
      count(case when attempts.outcome in ${REACHED_OUTCOMES} then 1 end) as reached
    from jobs left join attempts on attempts.job_id = jobs.id and attempts.id > jobs.attempts_after
      and attempts.outcome in ('sending', 'unknown', 'accepted', 'delivered')
    where kind = ${kind} and topic = ${topic} group by jobs.id`.execute(db);
  return rows[0];
}

/** A summary lists all unlisted applications from before `until`, and those that a wrong clock dated in the future. */
export async function enqueueWeeklyJobs(
  trx: Trx,
  jobs: readonly NewJob[],
  { until, now }: { until: number; now: number },
): Promise<void> {
  for (const job of jobs) {
    const id = await enqueueOnce(trx, job, now);
    if (id === undefined || job.kind !== "weekly-summary") continue;
    await sql`update applications set summary_id = ${id} where summary_id is null
      and (submitted_at < ${until} or submitted_at > ${now + MINUTE})`.execute(trx);
  }
}

export async function previousSummaryTopic(db: Db, topic: string): Promise<string | undefined> {
  const { rows } = await sql<{ topic: string | undefined }>`select max(topic) as topic from jobs
    where kind = 'weekly-summary' and state = 'done' and topic < ${topic}`.execute(db);
  return rows[0]?.topic;
}
