import { type RawBuilder, sql } from "kysely";
import {
  ACCEPTED_OR_DELIVERED,
  OUTSTANDING_NOTICES,
  sqlIn,
  UNFINISHED_NOTICES,
} from "#lib/storage/outcomes.ts";
import type { Db } from "#lib/storage/tables.ts";

export type ApplicationCounts = Awaited<ReturnType<typeof countApplications>>;

const selectCount = (which: RawBuilder<unknown>) => sql<number>`count(*) filter (where ${which})`;
/** The time at which the oldest matching application was submitted or resent. */
const selectOldestTime = (which: RawBuilder<unknown>) =>
  sql<number | undefined>`min(enqueued_at) filter (where ${which})`;

/** Health and alarms read these numbers several times a minute, so no query may scan the finished notices. */
export function countApplications(db: Db) {
  // Filtered by `application_id`, because with `kind` SQLite would choose an index that also contains finished notices.
  const unfinished = sql`application_id is not null and state ${sqlIn(UNFINISHED_NOTICES)}`;
  const own = sql`select 1 from messages where notice_id = notices.id and messages.state`;
  const undelivered = sql`notices.state ${sqlIn(OUTSTANDING_NOTICES)}`;
  // `reached`: the owner or a provider has the application. `capped`: only the cap on text messages delays it.
  const applications = sql`(
    select notices.state, enqueued_at, finished_at,
      notices.state = 'sent' or (${undelivered} and exists (${own} ${sqlIn(ACCEPTED_OR_DELIVERED)})) as reached,
      ${undelivered} and exists (${own} = 'capped') and not exists (${own} <> 'capped') as capped
    from notices where ${unfinished})`;
  const waiting = sql`state ${sqlIn(OUTSTANDING_NOTICES)} and not reached`;
  const lastGivenUp = sql<number | undefined>`max(finished_at) filter (where state = 'given-up')`;
  const lastAdvice = sql<string | undefined>`(
    select advice from messages where advice is not null and notice_id = (select max(id) from notices
      where ${unfinished} and state = 'given-up') order by answered_at desc limit 1)`;
  // Only a reported delivery counts from its report. Any other message counts from the time at which it began.
  const lastReached = sql<number | undefined>`(
    select max(case outcome when 'delivered' then answered_at else begun_at end) from messages where state ${sqlIn(ACCEPTED_OR_DELIVERED)} and outcome <> 'unknown')`;
  return db
    .selectFrom(applications.as("application"))
    .select([
      selectCount(waiting).as("waiting"),
      selectCount(sql`reached`).as("sent"),
      selectCount(sql`state = 'filed'`).as("filed"),
      selectCount(sql`state = 'given-up'`).as("givenUp"),
      selectCount(sql`capped`).as("waitingForCap"),
      selectOldestTime(waiting).as("oldestWaitingSince"),
      selectOldestTime(sql`${waiting} and not capped`).as("overdueSince"),
      selectOldestTime(sql`capped`).as("waitingForCapSince"),
      selectOldestTime(sql`state = 'filed'`).as("oldestFiledSince"),
      lastGivenUp.as("lastGivenUpAt"),
      lastAdvice.as("lastGivenUpAdvice"),
      lastReached.as("lastReachedAt"),
    ])
    .executeTakeFirstOrThrow();
}

/** The applications whose applicant nobody has marked as called. */
export async function countUncalled(db: Db): Promise<number> {
  const { rows } = await sql<{ uncalled: number }>`select count(*) as uncalled from notices
    where kind = 'application' and called_at is null`.execute(db);
  return rows[0]?.uncalled ?? 0;
}
