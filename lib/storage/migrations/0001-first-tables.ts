import { type QueryExecutorProvider, sql } from "kysely";
import type { SqlDialect } from "#lib/storage/database.ts";

const firstTables = ({ idColumn, extraTables }: SqlDialect) => [
  `create table applications (
    application_id text primary key,
    route text not null,
    submitted_at bigint not null,
    content_hash text not null,
    idempotency_key text unique,
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
    summary_id integer
  )`,
  // `content_hash` needs no index, because repeats are searched for among the applications of the last minute.
  "create index applications_by_time on applications (submitted_at)",
  `create table notices (
    id integer ${idColumn},
    kind text not null check (kind in ('application', 'alarm', 'weekly', 'test')),
    topic text not null,
    application_id text unique references applications (application_id) on delete cascade,
    preferred_channel text not null,
    state text default 'new' not null
      check (state in ('new', 'open', 'sent', 'filed', 'done', 'given-up', 'closed')),
    enqueued_at bigint not null,
    resends integer default 0 not null,
    finished_at bigint,
    called_at bigint
  )`,
  "create index notices_by_state on notices (state, id)",
  "create index notices_by_topic on notices (kind, topic)",
  `create table messages (
    id integer ${idColumn},
    notice_id integer not null references notices (id) on delete cascade,
    channel text not null,
    recipient text not null,
    state text default 'waiting' not null
      check (state in ('waiting', 'capped', 'sending', 'unsure', 'accepted', 'delivered', 'refused', 'ended')),
    next_at bigint not null,
    tries integer default 0 not null,
    searches integer default 0 not null,
    copies integer default 0 not null,
    is_shortened integer default 0 not null,
    begun_at bigint,
    answered_at bigint,
    outcome text,
    provider_id text,
    earlier_ids text default '' not null,
    not_before bigint default 0 not null,
    error text,
    advice text,
    about text,
    failing_since bigint,
    recovered_at bigint,
    unique (notice_id, channel, recipient)
  )`,
  `create index messages_due on messages (next_at)
    where state in ('waiting', 'capped', 'unsure', 'accepted', 'refused')`,
  "create index messages_by_fault on messages (channel, about) where about is not null",
  `create index messages_by_arrival on messages
    ((case outcome when 'delivered' then answered_at else begun_at end))
    where state in ('accepted', 'delivered') and outcome <> 'unknown'`,
  "create table charges (message_id integer not null, at bigint not null, segments integer not null, suspicion text)",
  "create index charges_by_time on charges (at)",
  "create table notes (name text primary key, at bigint not null, value text not null)",
  ...extraTables,
];

export async function createFirstTables(transaction: QueryExecutorProvider, dialect: SqlDialect) {
  for (const statement of firstTables(dialect)) await sql.raw(statement).execute(transaction);
}
