/** What is told the owner beside the applications: alarms and the week. */
import { type Kysely, sql, type Transaction } from "kysely";
import { DAY_MS } from "#lib/application/seoul-time.ts";
import { REACHED } from "#lib/storage/queries/sends.ts";
import { isHolder } from "#lib/storage/queries/worker.ts";
import type { Carrier, JobState, Tables } from "#lib/storage/tables.ts";

const CLOCK_SLACK_MS = 60_000;

/** Something to tell the owner that is no application. */
export interface Raised {
  subject: string;
  first: Carrier;
  payload: string;
  /** When its cause was met: one that has arrived is told again only for a newer one, a day later. */
  causeAt: number | undefined;
}

/**
 * Whether it has to be raised now, and whether it was before. What was told counts once; what reached nobody, or may not
 * have, is told again after a day, as long as its cause is there.
 */
export async function mayRaise(
  database: Kysely<Tables>,
  { subject, causeAt }: Raised,
  now: number,
): Promise<"new" | "again" | "no"> {
  const { rows } = await sql<{
    state: JobState;
    settledAt: number | null;
    toldAt: number | null;
    reached: number;
  }>`select state, settled_at as "settledAt", max(sends.begun_at) as "toldAt",
      count(case when sends.outcome in ${REACHED} then 1 end) as reached
    from jobs left join sends on sends.job_id = jobs.id and sends.id > jobs.sends_after
      and sends.outcome in ('leaving', 'unknown', 'accepted', 'delivered')
    where subject = ${subject} group by jobs.id`.execute(database);
  const [job] = rows;
  if (!job) return "new";
  if (job.state === "open" || causeAt === undefined) return "no";
  const at = job.toldAt ?? (job.state === "given-up" ? job.settledAt : null);
  // Later than now: the clock has been set back since.
  if (at === null || at > now + CLOCK_SLACK_MS) return "again";
  const toTell = Number(job.reached) === 0 || causeAt > at;
  return toTell && now - at >= DAY_MS ? "again" : "no";
}

export async function raiseJob(
  transaction: Transaction<Tables>,
  raised: Raised,
  { holder, now }: { holder: string; now: number },
): Promise<void> {
  if (!(await isHolder(transaction, holder))) return;
  const may = await mayRaise(transaction, raised, now);
  const { subject, first, payload } = raised;
  const times = { state: "open", next_at: now, retry_at: now, raised_at: now } as const;
  if (may === "new") {
    await transaction
      .insertInto("jobs")
      .values({ subject, first, payload, ...times })
      .execute();
  } else if (may === "again") {
    await transaction
      .updateTable("jobs")
      .set({
        ...{ first, payload, ...times, tries: 0, settled_at: null },
        sends_after: sql<number>`(select coalesce(max(id), 0) from sends)`,
      })
      .where("subject", "=", subject)
      .execute();
  }
}

/** Applications that were given up; undefined when there are none. */
export async function givenUp(
  database: Kysely<Tables>,
): Promise<{ count: number; lastAt: number; advice: string | undefined } | undefined> {
  const { rows } = await sql<{ count: number; lastAt: number | null; lastId: number | null }>`
    select count(*) as count, max(settled_at) as "lastAt", max(id) as "lastId" from jobs
    where state = 'given-up' and application_id is not null`.execute(database);
  const { count = 0, lastAt, lastId } = rows[0] ?? {};
  if (!lastAt || !lastId) return undefined;
  const advices = await sql<{ advice: string }>`select advice from sends
    where job_id = ${lastId} and advice is not null order by id desc limit 1`.execute(database);
  return { count: Number(count), lastAt, advice: advices.rows[0]?.advice };
}

/** A week's summary or its witness, and whether the mail of it is out, or may be. */
export interface RaisedWeek {
  subject: string;
  state: JobState;
  payload: string;
  mailed: boolean;
}

/** The newest of them first. */
export async function lastWeeks(database: Kysely<Tables>): Promise<RaisedWeek[]> {
  const { rows } = await sql<Omit<RaisedWeek, "mailed"> & { mails: number }>`
    select subject, state, payload, (select count(*) from sends where sends.job_id = jobs.id
      and carrier = 'mail' and outcome in ('unknown', 'accepted', 'delivered')) as mails
    from jobs where application_id is null and subject like 'weekly:%' order by id desc limit 10`.execute(
    database,
  );
  return rows.map(({ mails, ...week }) => ({ ...week, mailed: Number(mails) > 0 }));
}

/** The last job of an application that came in before a time; 0 where there is none. */
export async function lastJobBefore(database: Kysely<Tables>, time: number): Promise<number> {
  const row = await database
    .selectFrom("jobs")
    .innerJoin("applications", "applications.application_id", "jobs.application_id")
    .select(({ fn }) => fn.max("jobs.id").as("id"))
    .where("submitted_at", "<", time)
    .executeTakeFirst();
  return row?.id ?? 0;
}
