/** PostgreSQL through pg: connections, settings, locks. */
import { setTimeout as pause } from "node:timers/promises";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Client, type ClientConfig, Pool, types } from "pg";
import {
  type ColumnKinds,
  type Database,
  type Known,
  type OpenedDatabase,
  refuseOther,
  type WriteLock,
} from "#lib/storage/database.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { migrate } from "#lib/storage/migrations.ts";
import { asStorageFault, isConflict } from "#lib/storage/postgres/errors.ts";
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
const CONFLICT_TRIES = 5;
/** Connections whose server has gone may never report their end: closing waits no longer than this. */
const CLOSE_MS = 2_000;
/** The sessions of a process that was killed just now end within moments. */
const ALONE_TRIES = 5;
const ALONE_PAUSE_MS = 200;

/** The site's own among the advisory locks of a database: "driv". */
const LOCKS = 0x64726976;
const WRITE_LOCKS: Readonly<Record<WriteLock, number>> = {
  migrations: 1,
  intake: 2,
  deliveries: 3,
};
/** Shared by every process that has the database open. */
const INSTANCE_LOCK = 4;

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
    statement_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    lock_timeout: LOCK_WAIT_MS,
    idle_in_transaction_session_timeout: STALLED_MS,
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
export async function openPostgres(url: string, known?: Known): Promise<OpenedDatabase> {
  const serverName = serverNameOf(url);
  const instance = new InstanceLock(url);
  const database = postgresDatabase(url, instance, serverName);
  try {
    await instance.begin();
    const { fsync } = await instance.ask("select current_setting('fsync') as fsync");
    refuseLossy(fsync, serverName);
    if (known !== undefined) refuseOther(await identityIn(instance), known);
    await migrate(database, kinds);
    return { ...database, identity: (await identityIn(instance)) ?? "" };
  } catch (error) {
    await database.close();
    throw asStorageFault(error, serverName);
  }
}

/** Undefined before the first migration. */
async function identityIn(instance: InstanceLock): Promise<string | undefined> {
  const { made } = await instance.ask("select to_regclass('identity') as made");
  if (made === null) return undefined;
  const { id } = await instance.ask("select id from identity");
  return typeof id === "string" ? id : undefined;
}

/** For messages: host, port and database, without user and password. */
export function serverNameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host || "localhost"}${pathname}`;
}

/** What the promises rest on: a commit is on disk before it returns. @throws StorageUnavailable */
export function refuseLossy(fsync: unknown, serverName: string): void {
  if (fsync === "on") return;
  throw new StorageUnavailable(
    `The PostgreSQL server ${serverName} runs with fsync = ${fsync}: a power cut would lose what visitors were told is received. Turn fsync on in postgresql.conf and restart it.`,
    "failing",
  );
}

function postgresDatabase(url: string, instance: InstanceLock, serverName: string): Database {
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: openPool(url),
      onCreateConnection: async (connection) => {
        // Stricter settings, such as waiting for a standby, stay as they are.
        const strict = sql`select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;
        await connection.executeQuery(strict.compile(kysely));
      },
    }),
  });
  const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (let tries = 1; ; tries++) {
      try {
        instance.assertHeld();
        return await work();
      } catch (error) {
        if (!isConflict(error) || tries === CONFLICT_TRIES) throw asStorageFault(error, serverName);
      }
    }
  };
  return {
    write: (work, lock) =>
      guarded(() =>
        kysely.transaction().execute(async (transaction) => {
          if (lock) {
            await sql`select pg_advisory_xact_lock(${LOCKS}::int, ${WRITE_LOCKS[lock]}::int)`.execute(
              transaction,
            );
          }
          return work(transaction);
        }),
      ),
    read: (work) => guarded(() => work(kysely)),
    whenAlone: (work) => guarded(() => instance.whenAlone(work)),
    // What is deleted is overwritten by what comes later; the server's own journal is the server's.
    purgeJournal: () =>
      guarded(async () => {
        await sql`vacuum applications, jobs, sends, idempotency_keys`.execute(kysely);
        return true;
      }),
    close: async () => {
      const ended = Promise.allSettled([kysely.destroy(), instance.end()]);
      await Promise.race([ended, pause(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

/**
 * A connection that stands for this process: it holds a lock that every process with this database open
 * shares, so that one of them can tell whether it is alone. When it is lost, the database is opened anew.
 */
class InstanceLock {
  readonly #client: Client;
  #lost: Error | undefined;

  constructor(url: string) {
    this.#client = new Client(settingsFor(url));
    this.#client.on("error", (error) => {
      this.#lost ??= error;
    });
    this.#client.on("end", () => {
      this.#lost ??= new Error("Connection terminated");
    });
  }

  async begin(): Promise<void> {
    await this.#client.connect();
    await this.#client.query("select pg_advisory_lock_shared($1, $2)", [LOCKS, INSTANCE_LOCK]);
  }

  assertHeld(): void {
    if (this.#lost) throw this.#lost;
  }

  async ask(query: string, values: unknown[] = []): Promise<Record<string, unknown>> {
    const { rows } = await this.#client.query<Record<string, unknown>>(query, values);
    return rows[0] ?? {};
  }

  /** A process that opens the database meanwhile waits. */
  async whenAlone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    for (let tries = 1; tries <= ALONE_TRIES; tries++) {
      const lock = [LOCKS, INSTANCE_LOCK];
      const { alone } = await this.ask("select pg_try_advisory_lock($1, $2) as alone", lock);
      if (alone === true) {
        return work().finally(() => this.ask("select pg_advisory_unlock($1, $2)", lock));
      }
      await pause(ALONE_PAUSE_MS);
    }
    return undefined;
  }

  async end(): Promise<void> {
    await this.#client.end();
  }
}
