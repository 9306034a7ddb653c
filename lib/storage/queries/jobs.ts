import { sql } from "kysely";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import { selectTrackedJobs, toTrackedApplication } from "#lib/storage/queries/applications.ts";
import { type Attempt, findRelatedAttempts } from "#lib/storage/queries/attempts.ts";
import type { Db, JobChanges, JobRow, Trx } from "#lib/storage/tables.ts";

export interface Job extends JobRow {
  application: StoredApplication | undefined;
  attempts: Attempt[];
}

export interface DueJobsOptions {
  now: number;
  /** Jobs that are due later than this time were planned before the clock was set back, and count as due. */
  latest: number;
  /** Only jobs that prefer this channel, or were enqueued at or before `orEnqueuedBefore`. Undefined: all jobs. */
  preferredChannel?: ChannelName | undefined;
  orEnqueuedBefore?: number | undefined;
  /** Jobs that are running. */
  exceptIds?: readonly number[] | undefined;
  limit: number;
}

/** The open jobs that are due, in the order of their due times, with suspicious applications last. */
export async function dueJobs(db: Db, options: DueJobsOptions): Promise<Job[]> {
  const rows = await selectDue(db, options, false);
  const limit = options.limit - rows.length;
  if (limit > 0) rows.push(...(await selectDue(db, { ...options, limit }, true)));
  return Array.fromAsync(rows, async (row) => {
    const found = await selectTrackedJobs(db).where("jobs.id", "=", row.id).executeTakeFirst();
    const application = found && toTrackedApplication(found);
    return { ...row, application, attempts: await findRelatedAttempts(db, row) };
  });
}

/** The query reads the index `jobs_due` in order up to the limit, however many jobs are due. */
async function selectDue(db: Db, options: DueJobsOptions, isSuspicious: boolean) {
  const { now, latest, preferredChannel, orEnqueuedBefore = 0, exceptIds = [], limit } = options;
  // SQLite plans a query again at every execution if the limit is a parameter.
  const { rows } = await sql<JobRow>`
    select * from jobs where state = 'open' and next_at not between ${now + 1} and ${latest}
      ${preferredChannel === undefined ? sql`` : sql`and (preferred_channel = ${preferredChannel} or enqueued_at <= ${orEnqueuedBefore})`}
      ${exceptIds.length === 0 ? sql`` : sql`and id not in (${sql.join(exceptIds)})`}
      and (select suspicion from applications
        where applications.application_id = jobs.application_id) is ${isSuspicious ? sql`not` : sql``} null
    order by next_at, id limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

export async function nextDueAt(db: Db, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | undefined }>`select min(next_at) as at from jobs
    where state = 'open' and next_at > ${now}`.execute(db);
  return rows[0]?.at;
}

export type RunResult = Pick<Job, "state" | "nextAt" | "tries" | "retryAt">;

/** Saves nothing if the job was changed during the run: the job runs again. */
export async function saveRun(
  trx: Trx,
  job: Pick<Job, "id" | "nextAt" | "attemptsAfter">,
  result: RunResult,
  now: number,
): Promise<void> {
  const saved = await trx
    .updateTable("jobs")
    .set({ ...result, finishedAt: result.state === "open" ? null : now })
    .where("id", "=", job.id)
    .where("state", "=", "open")
    .where("nextAt", "=", job.nextAt)
    .where("attemptsAfter", "=", job.attemptsAfter)
    .returning("id")
    .executeTakeFirst();
  if (saved === undefined || result.state !== "given-up") return;
  // The next summary lists the applications of a summary that was given up.
  await sql`update applications set summary_id = null where summary_id = ${job.id}`.execute(trx);
}

/** Changes the job of an application at a person's request. @throws if there is no job */
export async function changeJob<Answer>(
  trx: Trx,
  applicationId: string,
  decide: (job: Omit<Job, "application">) => { answer: Answer; changes?: JobChanges },
): Promise<Answer> {
  const job = await trx
    .selectFrom("jobs")
    .selectAll()
    .where("kind", "=", "application")
    .where("applicationId", "=", applicationId)
    .executeTakeFirstOrThrow();
  const { answer, changes } = decide({ ...job, attempts: await findRelatedAttempts(trx, job) });
  if (changes) await trx.updateTable("jobs").set(changes).where("id", "=", job.id).execute();
  return answer;
}
