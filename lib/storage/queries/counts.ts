import { sql } from "kysely";
import {
  ACCEPTED_OR_DELIVERED,
  NEEDS_WORKER_OR_PERSON,
  NEW_OR_OPEN,
  sqlIn,
} from "#lib/storage/outcomes.ts";
import type { Db } from "#lib/storage/tables.ts";

/** The unfinished applications, and the last success. A time `…Since` is that of the oldest such application. */
export interface ApplicationCounts {
  /** Not yet with the owner or a provider. */
  waiting: number;
  oldestWaitingSince: number | undefined;
  /** Waiting, and delayed by the cap on text messages alone. */
  waitingForCap: number;
  waitingForCapSince: number | undefined;
  /** Of those waiting that no cap delays. */
  uncappedWaitingSince: number | undefined;
  /** With the owner or a provider, while the delivery is still under way. */
  sent: number;
  filed: number;
  oldestFiledSince: number | undefined;
  givenUp: number;
  lastGivenUpAt: number | undefined;
  lastGivenUpAdvice: string | undefined;
  /** A reported delivery counts from its report. Any other message counts from the time at which it began. */
  lastReachedAt: number | undefined;
}

/** Health and alarms read these numbers several times a minute, so no part may scan the finished notices. */
export function countApplications(db: Db): Promise<ApplicationCounts> {
  // Filtered by `application_id`, because with `kind` SQLite would choose an index that also contains finished notices.
  const counts = sql<ApplicationCounts>`(
    with unfinished as materialized (
      select id, state, enqueued_at, finished_at,
        state ${sqlIn(NEW_OR_OPEN)} as is_outstanding,
        (select count(*) from messages where notice_id = notices.id) as planned,
        (select count(*) from messages where notice_id = notices.id and state = 'capped') as capped,
        (select count(*) from messages where notice_id = notices.id
          and state ${sqlIn(ACCEPTED_OR_DELIVERED)}) as reached
      from notices where application_id is not null and state ${sqlIn(NEEDS_WORKER_OR_PERSON)}
    ), application as (
      select id, state, enqueued_at, finished_at,
        is_outstanding and reached = 0 as is_waiting,
        is_outstanding and capped > 0 and capped = planned as is_capped
      from unfinished
    )
    select
      count(*) filter (where is_waiting) as waiting,
      min(enqueued_at) filter (where is_waiting) as oldest_waiting_since,
      count(*) filter (where is_capped) as waiting_for_cap,
      min(enqueued_at) filter (where is_capped) as waiting_for_cap_since,
      min(enqueued_at) filter (where is_waiting and not is_capped) as uncapped_waiting_since,
      count(*) filter (where state not in ('filed', 'given-up') and not is_waiting) as sent,
      count(*) filter (where state = 'filed') as filed,
      min(enqueued_at) filter (where state = 'filed') as oldest_filed_since,
      count(*) filter (where state = 'given-up') as given_up,
      max(finished_at) filter (where state = 'given-up') as last_given_up_at,
      (select advice from messages where advice is not null
        and notice_id = (select max(id) from application where state = 'given-up')
        order by answered_at desc limit 1) as last_given_up_advice,
      (select max(case outcome when 'delivered' then answered_at else begun_at end) from messages
        where state ${sqlIn(ACCEPTED_OR_DELIVERED)} and outcome <> 'unknown') as last_reached_at
    from application)`;
  return db.selectFrom(counts.as("counts")).selectAll().executeTakeFirstOrThrow();
}

/** The applications whose applicant nobody has marked as called. */
export async function countUncalled(db: Db): Promise<number> {
  const { rows } = await sql<{ uncalled: number }>`select count(*) as uncalled from notices
    where kind = 'application' and called_at is null`.execute(db);
  return rows[0]?.uncalled ?? 0;
}
