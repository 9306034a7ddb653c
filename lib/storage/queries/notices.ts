/** What is told the owner beside the applications: alarms and the week. */
import { sql } from "kysely";
import { DAY_MS } from "#lib/application/seoul-time.ts";
import { REACHED } from "#lib/storage/queries/attempts.ts";
import { named } from "#lib/storage/queries/rows.ts";
import type { ChannelName, JobRow, Reading, Writing } from "#lib/storage/tables.ts";

const CLOCK_SLACK_MS = 60_000;

/** Something to tell the owner that is no application. */
export interface Raised {
  subject: string;
  first: ChannelName;
  payload: string;
  /** When its cause was met: one that has arrived is told again only for a newer one, a day later. */
  causeAt?: number;
}

/**
 * Whether it has to be raised now. What was told counts once; what reached nobody, or may not
 * have, is told again after a day, as long as its cause is there.
 */
export async function mayRaise(
  reading: Reading,
  { subject, causeAt }: Raised,
  now: number,
): Promise<boolean> {
  const { rows } = await sql<
    Pick<JobRow, "state" | "settled_at"> & { told_at: number | null; reached: number }
  >`select state, settled_at, max(attempts.begun_at) as told_at,
      count(case when attempts.outcome in ${REACHED} then 1 end) as reached
    from jobs left join attempts on attempts.job_id = jobs.id and attempts.id > jobs.attempts_after
      and attempts.outcome in ('sending', 'unknown', 'accepted', 'delivered')
    where subject = ${subject} group by jobs.id`.execute(reading);
  const [job] = rows;
  if (!job) return true;
  if (job.state === "open" || causeAt === undefined) return false;
  const at = job.told_at ?? (job.state === "given-up" ? job.settled_at : null);
  // Later than now: the clock has been set back since.
  if (at === null || at > now + CLOCK_SLACK_MS) return true;
  return (Number(job.reached) === 0 || causeAt > at) && now - at >= DAY_MS;
}

export async function raiseJob(
  writing: Writing,
  { subject, first, payload }: Raised,
  now: number,
): Promise<void> {
  const raised = { first, payload, next_at: now, retry_at: now, raised_at: now } as const;
  const attempts_after = sql<number>`(select coalesce(max(id), 0) from attempts)`;
  await writing
    .insertInto("jobs")
    .values({ subject, state: "open", ...raised, attempts_after })
    .onConflict((conflict) =>
      conflict
        .column("subject")
        .doUpdateSet({ state: "open", ...raised, attempts_after, tries: 0, settled_at: null }),
    )
    .execute();
}

/** The summaries of the weeks, the newest first. `mailed`: its mail is out, or may be. */
export async function lastWeeks(reading: Reading) {
  const { rows } = await sql<JobRow & { mails: number }>`select *, (select count(*) from attempts
      where attempts.job_id = jobs.id and channel = 'mail'
      and outcome in ('unknown', 'accepted', 'delivered')) as mails
    from jobs where application_id is null and subject like 'weekly:%' order by id desc limit 10`.execute(
    reading,
  );
  return rows.map(({ mails, ...week }) => ({ ...named(week), mailed: Number(mails) > 0 }));
}

/** The last job of an application that came in before a time; 0 where there is none. */
export async function lastJobBefore(reading: Reading, time: number): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from jobs
    inner join applications using (application_id) where submitted_at < ${time}`.execute(reading);
  return rows[0]?.id ?? 0;
}
