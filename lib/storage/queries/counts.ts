import { type RawBuilder, sql } from "kysely";
import { REACHED_OUTCOMES } from "#lib/storage/queries/outcomes.ts";
import type { Db } from "#lib/storage/tables.ts";

export type ApplicationCounts = Awaited<ReturnType<typeof countApplications>>;

const count = (which: RawBuilder<unknown>) => sql<number>`count(*) filter (where ${which})`;
/** The time at which the oldest matching application was submitted or resent. */
const oldest = (which: RawBuilder<unknown>) =>
  sql<number | undefined>`min(enqueued_at) filter (where ${which})`;

export function countApplications(db: Db, now: number) {
  const own = sql`select 1 from attempts where attempts.job_id = jobs.id and attempts.id > jobs.attempts_after`;
  // `reached`: the owner or a provider has the application. `capped`: only the cap on text messages delays the application.
  const applications = sql`(
    select state, enqueued_at, finished_at, state = 'open' and exists (${own} and outcome in ${REACHED_OUTCOMES}) as reached,
      state = 'open' and tries = 0 and next_at > ${now} and not exists (${own}) as capped
    from jobs where kind = 'application')`;
  const waiting = sql`state = 'open' and not reached`;
  const lastGivenUp = sql<number | undefined>`max(finished_at) filter (where state = 'given-up')`;
  const lastAdvice = sql<string | undefined>`(
    select advice from attempts where advice is not null and job_id = (select max(id) from jobs
      where state = 'given-up' and kind = 'application') order by id desc limit 1)`;
  const lastReached = sql<number | undefined>`(
    select ended_at from attempts where outcome in ${REACHED_OUTCOMES} order by id desc limit 1)`;
  return db
    .selectFrom(applications.as("application"))
    .select([
      count(waiting).as("waiting"),
      count(sql`reached`).as("sent"),
      count(sql`state = 'filed'`).as("filed"),
      count(sql`state = 'done'`).as("done"),
      count(sql`state = 'given-up'`).as("givenUp"),
      count(sql`capped`).as("waitingForCap"),
      oldest(waiting).as("oldestWaitingSince"),
      oldest(sql`${waiting} and not capped`).as("overdueSince"),
      oldest(sql`capped`).as("waitingForCapSince"),
      oldest(sql`state = 'filed'`).as("oldestFiledSince"),
      lastGivenUp.as("lastGivenUpAt"),
      lastAdvice.as("lastGivenUpAdvice"),
      lastReached.as("lastReachedAt"),
    ])
    .executeTakeFirstOrThrow();
}
