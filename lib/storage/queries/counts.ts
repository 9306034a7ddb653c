import { sql } from "kysely";
import { REACHED_OUTCOMES } from "#lib/storage/queries/outcomes.ts";
import type { Db } from "#lib/storage/tables.ts";

/** Counts of applications by state, and the times of the oldest and newest. */
export interface JobCounts {
  /** Open applications that neither the owner nor a provider has. */
  waiting: number;
  /** Open applications that a provider has. */
  sent: number;
  filed: number;
  done: number;
  givenUp: number;
  /** When an application was last given up, and the advice of its fault. */
  lastGivenUpAt: number | undefined;
  lastGivenUpAdvice: string | undefined;
  oldestWaitingSince: number | undefined;
  /** When the oldest waiting application was submitted that does not only wait for the cap on text messages. */
  overdueSince: number | undefined;
  /** Jobs that only wait for the cap on text messages, and since when the oldest of them waits. */
  waitingForCap: number;
  waitingForCapSince: number | undefined;
  /** When the oldest filed application was submitted that has reached nobody. */
  oldestFiledSince: number | undefined;
  /** When a message of any kind last reached the owner. */
  lastReachedAt: number | undefined;
}

export async function countJobs(db: Db, now = Date.now()): Promise<JobCounts> {
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
      (select ended_at from attempts where outcome in ${REACHED_OUTCOMES} order by id desc limit 1) as last_reached_at
    from (
      select state, enqueued_at, finished_at, state = 'open' and exists (${own} and outcome in ${REACHED_OUTCOMES}) as reached,
        tries = 0 and next_at > ${now} and not exists (${own}) as capped
      from jobs where kind = 'application'
    ) as each_one`.execute(db);
  return rows[0] as JobCounts;
}
