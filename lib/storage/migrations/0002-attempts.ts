/** The table of sends becomes the table of attempts: channels and outcomes have the names of the field. */
import { type QueryExecutorProvider, sql } from "kysely";
import type { Dialect } from "#lib/storage/database.ts";

const statementsIn = ({ identity, continueIds }: Dialect) => [
  `create table attempts (
    id integer ${identity},
    job_id integer references jobs (id) on delete set null,
    channel text not null,
    recipient text not null,
    outcome text not null
      check (outcome in ('sending', 'not-sent', 'unknown', 'accepted', 'delivered', 'rejected')),
    segments integer not null,
    provider_id text,
    begun_at bigint not null,
    ended_at bigint,
    error text,
    advice text,
    about text,
    not_before bigint
  )`,
  // An id that was deleted is not given again: jobs count their attempts from an id on.
  continueIds("sends", "attempts"),
  `insert into attempts select id, job_id, carrier, recipient,
      case outcome when 'leaving' then 'sending' when 'unsent' then 'not-sent'
        when 'refused' then 'rejected' else outcome end,
      segments, provider_id, begun_at, ended_at, error, advice, about, not_before from sends`,
  "drop table sends",
  "create index attempts_by_job on attempts (job_id)",
  "create index attempts_by_outcome on attempts (channel, outcome, id)",
  "create index attempts_by_fault on attempts (channel, about, id) where about is not null",
  "create index attempts_by_charge on attempts (begun_at, segments) where segments > 0",
  "alter table jobs rename column sends_after to attempts_after",
];

export async function attempts(
  transaction: QueryExecutorProvider,
  dialect: Dialect,
): Promise<void> {
  for (const statement of statementsIn(dialect)) await sql.raw(statement).execute(transaction);
}
