/** PostgreSQL through pg: connections, settings, locks. */
import { setTimeout as pause } from "node:timers/promises";
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import { type ClientConfig, Pool, types } from "pg";
import type { ColumnKinds, Database, WriteLock } from "#lib/storage/database.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { migrate } from "#lib/storage/migrations.ts";
import { asStorageFault, isRepeatable } from "#lib/storage/postgres/errors.ts";
import type { Tables } from "#lib/storage/tables.ts";

const CONNECT_MS = 3_000;
/** How long a statement may take, as the server sees it and as we do: a server that has gone does not say so. */
const STATEMENT_MS = 4_000;
const ANSWER_MS = 5_000;
/** After this long a lock makes the store unavailable. */
const LOCK_WAIT_MS = 2_000;
/** A process that stands still in the middle of a transaction lets go of its locks after this. */
const STALLED_MS = 5_000;
/** Transactions that wait for a lock keep their connections; the others must still find one free. */
const CONNECTIONS = 12;
const MOST_TRIES = 5;
/** Connections whose server has gone may never report their end: closing waits no longer than this. */
const CLOSE_MS = 2_000;
/** Two clocks that differ by less are one: the way to the server takes time too. */
const CLOCK_SLACK_MS = 1_000;

/** The site's own among the advisory locks of a database: "driv". */
const LOCKS = 0x64726976;
const WRITE_LOCKS: Readonly<Record<WriteLock, number>> = {
  migrations: 1,
  intake: 2,
  deliveries: 3,
};
/** It waits for nobody: what is locked now comes next time. */
const VACUUM = {
  text: "vacuum (skip_locked) applications, jobs, sends, idempotency_keys",
  query_timeout: 60_000,
};

const INT8 = 20;

const kinds: ColumnKinds = {
  clock: sql`select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`,
  identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
};

/** A pool of connections, each with limits to its waiting; whole numbers come as numbers. */
export function openPool(url: string, limits: Partial<ClientConfig> & { max?: number } = {}): Pool {
  const pool = new Pool({ ...settingsFor(url), max: CONNECTIONS, ...limits });
  // A connection has gone, idle or at work. Without a listener that would end the process. The pool makes another when
  // one is needed; the query that was using this one rejects.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

function settingsFor(url: string): ClientConfig {
  return {
    connectionString: url,
    application_name: "driving-practice-site",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    types: {
      // Times in ms and counts lie far below 2^53.
      getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format)),
    },
  };
}

/**
 * Opens the database at an address and brings its tables up to date.
 * @throws StorageUnavailable when it cannot be used.
 */
export async function openPostgres(url: string, hadOne = false): Promise<Database> {
  const serverName = serverNameOf(url);
  const database = postgresDatabase(url, serverName);
  try {
    await database.read((reading) => refuseUnfit(reading, serverName, hadOne));
    await migrate(database, kinds);
    return database;
  } catch (error) {
    await database.close();
    throw asStorageFault(error, serverName);
  }
}

/** For messages: host, port and database, without user and password. */
function serverNameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host || "localhost"}${pathname}`;
}

async function refuseUnfit(
  reading: Kysely<Tables>,
  serverName: string,
  hadOne: boolean,
): Promise<void> {
  const { rows } = await sql<{ fsync: string; used: boolean; is_too_old: boolean }>`
    select current_setting('fsync') as fsync, to_regclass('schema_version') is not null as used,
      to_regclass('schema_version') is not null and to_regclass('deliveries') is not null as is_too_old
  `.execute(reading);
  const { fsync, used, is_too_old: isTooOld } = rows[0] ?? {};
  // What the promises rest on: a commit is on disk before it returns.
  if (fsync !== "on") {
    throw new StorageUnavailable(
      `The PostgreSQL server ${serverName} runs with fsync = ${fsync}: a power cut would lose what visitors were told is received. Turn fsync on in postgresql.conf and restart it.`,
      "failing",
    );
  }
  if (isTooOld) {
    throw new StorageUnavailable(
      `The database on the PostgreSQL server ${serverName} is from a version of this site before 1.0.0, which this program cannot take over: nothing was written to it. Give the site an empty database.`,
      "too-old",
    );
  }
  if (hadOne && !used) {
    throw new StorageUnavailable(
      `The database on the PostgreSQL server ${serverName} was emptied while the site was running: restore the last backup. Only to begin anew without the old applications, restart the site.`,
      "missing",
    );
  }
}

function postgresDatabase(url: string, serverName: string): Database {
  const pool = openPool(url);
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  /** How far the server's clock is ahead of ours. */
  let aheadMs = 0;

  /** What a pooler in transaction mode may give to somebody else afterwards holds for the transaction alone. */
  async function prepare(transaction: Transaction<Tables>, lock?: WriteLock): Promise<void> {
    const before = Date.now();
    const { rows } = await sql<{ now: number }>`
      select set_config('lock_timeout', ${`${LOCK_WAIT_MS}`}, true),
        set_config('statement_timeout', ${`${STATEMENT_MS}`}, true),
        set_config('idle_in_transaction_session_timeout', ${`${STALLED_MS}`}, true),
        -- Stricter settings, such as waiting for a standby, stay as they are.
        set_config('synchronous_commit', case current_setting('synchronous_commit')
          when 'off' then 'on' else current_setting('synchronous_commit') end, true),
        (extract(epoch from clock_timestamp()) * 1000)::bigint as now
    `.execute(transaction);
    const after = Date.now();
    const ahead = (rows[0]?.now ?? after) - after;
    // A slow answer says little about the clock.
    if (after - before < CLOCK_SLACK_MS) aheadMs = Math.abs(ahead) < CLOCK_SLACK_MS ? 0 : ahead;
    if (lock) {
      await sql`select pg_advisory_xact_lock(${LOCKS}::int, ${WRITE_LOCKS[lock]}::int)`.execute(
        transaction,
      );
    }
  }

  async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!isRepeatable(error) || tries === MOST_TRIES) throw asStorageFault(error, serverName);
      }
    }
  }

  return {
    write: (work, lock) =>
      guarded(() =>
        kysely.transaction().execute(async (transaction) => {
          await prepare(transaction, lock);
          return work(transaction);
        }),
      ),
    read: (work) =>
      guarded(() =>
        kysely
          .transaction()
          .setAccessMode("read only")
          .execute(async (transaction) => {
            await prepare(transaction);
            return work(transaction);
          }),
      ),
    now: () => Date.now() + aheadMs,
    // What is deleted is overwritten by what comes later; the server's own journal is the server's.
    purgeJournal: () =>
      guarded(async () => {
        await pool.query(VACUUM);
        return true;
      }),
    close: async () => {
      const ended = kysely.destroy().catch(() => undefined);
      await Promise.race([ended, pause(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
