import { type QueryExecutorProvider, sql } from "kysely";
import type { Dialect } from "#lib/storage/database.ts";

const statementsIn = ({ clock, identity }: Dialect) => [
  `create table applications (
    application_id text primary key,
    route text not null,
    submitted_at bigint not null,
    content_hash text not null,
    name text not null,
    phone text not null,
    gender text not null,
    age integer not null,
    region text not null,
    preferred_date text not null,
    day_type text not null,
    time_slot text not null,
    car_type text not null,
    message text not null,
    suspicion text,
    corrects text
  )`,
  // `content_hash` needs no index, because repeats are searched for among the applications of the last minute.
  "create index applications_by_time on applications (submitted_at)",
  `create table jobs (
    id integer ${identity},
    subject text not null unique,
    application_id text unique references applications (application_id) on delete cascade,
    first text not null,
    state text not null check (state in ('open', 'filed', 'done', 'given-up')),
    next_at bigint not null,
    tries integer default 0 not null,
    retry_at bigint not null,
    digest integer references jobs (id) on delete set null,
    payload text,
    raised_at bigint not null,
    sends_after integer default 0 not null,
    repeats integer default 0 not null,
    settled_at bigint
  )`,
  "create index jobs_by_state on jobs (state, next_at)",
  "create index jobs_of_notices on jobs (id) where application_id is null",
  "create index jobs_by_digest on jobs (digest) where digest is not null",
  `create table sends (
    id integer ${identity},
    job_id integer references jobs (id) on delete set null,
    carrier text not null,
    recipient text not null,
    outcome text not null
      check (outcome in ('leaving', 'unsent', 'unknown', 'accepted', 'delivered', 'refused')),
    segments integer not null,
    provider_id text,
    begun_at bigint not null,
    ended_at bigint,
    error text,
    advice text,
    about text,
    not_before bigint
  )`,
  "create index sends_by_job on sends (job_id)",
  "create index sends_by_outcome on sends (carrier, outcome, id)",
  "create index sends_by_fault on sends (carrier, about, id) where about is not null",
  "create index sends_by_charge on sends (begun_at, segments) where segments > 0",
  "create table worker (id integer primary key, holder text not null, seen_at bigint not null)",
  `create view database_clock as select ${clock} as now`,
  `create table idempotency_keys (
    idempotency_key text primary key,
    content_hash text not null,
    application_id text not null,
    submitted_at bigint not null,
    created_at bigint not null
  )`,
  "create index idempotency_keys_by_age on idempotency_keys (created_at)",
  "create table notes (name text primary key, at bigint not null, value text not null)",
];

export async function createFirstTables(transaction: QueryExecutorProvider, dialect: Dialect) {
  for (const statement of statementsIn(dialect)) await sql.raw(statement).execute(transaction);
}
