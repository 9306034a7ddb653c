/** The real store on a SQLite in memory, which a test can empty thousands of times. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Database, Lease, LeaseRequest } from "#lib/storage/database.ts";
import { prepareTables } from "#lib/storage/migrations.ts";
import { kyselyDialect } from "#lib/storage/sqlite/driver.ts";
import { SQLITE_DIALECT } from "#lib/storage/sqlite/open.ts";
import { createStore, type Store } from "#lib/storage/store.ts";
import { openKysely, type Trx } from "#lib/storage/tables.ts";

export interface StoreInMemory {
  store: Store;
  runStatement(query: string, ...parameters: number[]): Record<string, unknown>[];
  empty(): void;
}

const TABLES = ["messages", "notices", "applications", "charges", "notes"];

export async function openStoreInMemory(): Promise<StoreInMemory> {
  const connection = new DatabaseSync(":memory:");
  const kysely = openKysely(kyselyDialect(connection, ":memory:"));
  // One transaction until the store closes saves BEGIN and COMMIT for every write. These tests roll nothing back.
  const transaction = await kysely.startTransaction().execute();
  const inTurn = queue();
  const database: Database = {
    write: (work) => inTurn(() => work(transaction)),
    read: (work) => inTurn(() => work(transaction)),
    eraseDeletedRows: async () => true,
    now: () => 0,
    close: async () => {
      await transaction.rollback().execute();
      await kysely.destroy();
    },
  };
  await prepareTables(database, SQLITE_DIALECT, { tables: "create" });
  // On tables of a few rows, the indexes cost more than they save.
  for (const { name } of connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .all())
    connection.exec(`DROP INDEX ${name}`);
  const emptied = TABLES.map((table) => connection.prepare(`DELETE FROM ${table}`));
  const statements = new Map<string, StatementSync>();
  const lease = new MemoryLease();
  return {
    store: createStore(database, lease),
    runStatement(query, ...parameters) {
      const statement = statements.get(query) ?? connection.prepare(query);
      statements.set(query, statement);
      return statement.all(...parameters);
    },
    empty: () => {
      for (const statement of emptied) statement.run();
      lease.holder = undefined;
    },
  };
}

/** The lease within one process. A test releases the lease of a worker that it kills. */
class MemoryLease implements Lease {
  holder: string | undefined;

  async acquire({ holder }: LeaseRequest) {
    if (this.holder === holder) return "kept";
    if (this.holder !== undefined) return "held-by-another";
    this.holder = holder;
    return "acquired";
  }

  async isHeldBy(_trx: Trx, holder: string) {
    return this.holder === holder;
  }

  async release(holder: string) {
    if (this.holder === holder) this.holder = undefined;
  }
}

/** Runs one piece of work at a time, as a database does on one connection. */
function queue() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
