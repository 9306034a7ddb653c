/** Renames tables and columns to the terms of docs/glossary.md, and removes mails about several applications. */
import { type QueryExecutorProvider, sql } from "kysely";
import type { Dialect } from "#lib/storage/database.ts";

const APPLICATIONS = [
  "alter table applications drop column corrects",
  "alter table applications add column summary_id integer",
];

const statementsIn = ({ identity, continueIds }: Dialect) => [
  `create table new_jobs (
    id integer ${identity},
    kind text not null,
    topic text not null,
    application_id text references applications (application_id) on delete cascade,
    preferred_channel text not null,
    state text not null check (state in ('open', 'filed', 'done', 'given-up', 'closed')),
    next_at bigint not null,
    tries integer default 0 not null,
    retry_at bigint not null,
    text text,
    enqueued_at bigint not null,
    attempts_after integer default 0 not null,
    repeats integer default 0 not null,
    finished_at bigint,
    unique (kind, topic)
  )`,
  // Ids continue after the highest id ever given, so that no deleted id is used again.
  continueIds("jobs", "new_jobs"),
  `insert into new_jobs (id, kind, topic, application_id, preferred_channel, state, next_at, tries, retry_at, text,
      enqueued_at, attempts_after, repeats, finished_at)
    select id,
      case when subject like 'weekly:%' then 'weekly-summary' when subject like 'witness:%' then 'weekly-count'
        when subject like 'alarm:%' then 'alarm' else 'application' end,
      case when subject like 'weekly:%' then substr(subject, 8) when subject like 'witness:%' then substr(subject, 9)
        when subject like 'alarm:%' then substr(subject, 7) else application_id end,
      application_id, first, state, next_at, tries, retry_at, case when subject like 'alarm:%' then payload end,
      raised_at, sends_after, repeats, settled_at
    from jobs where subject not like 'digest:%'`,
  `create table attempts (
    id integer ${identity},
    job_id integer references new_jobs (id) on delete set null,
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
  continueIds("sends", "attempts"),
  `insert into attempts (id, job_id, channel, recipient, outcome, segments, provider_id, begun_at, ended_at, error,
      advice, about, not_before)
    select sends.id, new_jobs.id, carrier, recipient, ${outcomeIn("sends")}, segments, provider_id, begun_at, ended_at,
      error, advice, about, not_before
    from sends left join new_jobs on new_jobs.id = sends.job_id`,
  // An attempt to send several applications becomes one attempt for each application.
  `insert into attempts (job_id, channel, recipient, outcome, segments, provider_id, begun_at, ended_at, error,
      advice, about, not_before)
    select jobs.id, carrier, recipient, ${outcomeIn("sends")}, segments, provider_id, begun_at, ended_at,
      error, advice, about, not_before
    from sends inner join jobs on jobs.digest = sends.job_id order by sends.id, jobs.id`,
  "drop table sends",
  "drop table jobs",
  "alter table new_jobs rename to jobs",
  "create index jobs_by_state on jobs (state, next_at)",
  "create index jobs_by_application on jobs (application_id)",
  "create index attempts_by_job on attempts (job_id)",
  "create index attempts_by_outcome on attempts (channel, outcome, id)",
  "create index attempts_by_fault on attempts (channel, about, id) where about is not null",
  "create index attempts_by_charge on attempts (begun_at, segments) where segments > 0",
  "alter table worker add column attempts_before integer default 0 not null",
];

function outcomeIn(table: string): string {
  return `case ${table}.outcome when 'leaving' then 'sending' when 'unsent' then 'not-sent'
    when 'refused' then 'rejected' else ${table}.outcome end`;
}

/** A weekly summary named a range of jobs. Now each application names its weekly summary. */
async function nameSummaries(transaction: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<{ id: number; payload: string }>`
    select id, payload from jobs where subject like 'weekly:%' and state = 'done'`.execute(
    transaction,
  );
  for (const { id, payload } of rows) {
    const { after, upTo }: { after: number; upTo: number } = JSON.parse(payload);
    await sql`update applications set summary_id = ${id} where application_id in (
      select application_id from jobs where id > ${after} and id <= ${upTo})`.execute(transaction);
  }
}

export async function renameToGlossaryTerms(transaction: QueryExecutorProvider, dialect: Dialect) {
  for (const statement of APPLICATIONS) await sql.raw(statement).execute(transaction);
  await nameSummaries(transaction);
  for (const statement of statementsIn(dialect)) await sql.raw(statement).execute(transaction);
}
