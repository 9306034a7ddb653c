/** The real store on a SQLite in memory, which a test can empty thousands of times. The test sets the clock. */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Database } from "#lib/storage/database.ts";
import { prepareTables } from "#lib/storage/migrations.ts";
import { kyselyDialect } from "#lib/storage/sqlite/driver.ts";
import { SQLITE_DIALECT } from "#lib/storage/sqlite/open.ts";
import { createStore, type Store } from "#lib/storage/store.ts";
import { openKysely } from "#lib/storage/tables.ts";

export interface StoreInMemory {
  store: Store;
  setClock(now: number): void;
  rows(query: string, ...parameters: number[]): Record<string, unknown>[];
  empty(): void;
}

const TABLES = ["attempts", "jobs", "applications", "worker", "notes", "idempotency_keys"];

export async function openStoreInMemory(): Promise<StoreInMemory> {
  const connection = new DatabaseSync(":memory:");
  const kysely = openKysely(kyselyDialect(connection, ":memory:"));
  // A transaction without an end saves BEGIN and COMMIT for every write. These tests roll nothing back.
  const transaction = await kysely.startTransaction().execute();
  const inTurn = queue();
  const database: Database = {
    write: (work) => inTurn(() => work(transaction)),
    read: (work) => inTurn(() => work(transaction)),
    purgeJournal: async () => true,
    acquireWorkerLock: () => false,
    now: () => 0,
    close: async () => {
      await transaction.rollback().execute();
      await kysely.destroy();
    },
  };
  await prepareTables(database, { ...SQLITE_DIALECT, clock: "0" }, { tables: "create" });
  connection.exec("DROP VIEW database_clock; CREATE TABLE database_clock (now integer)");
  connection.exec("INSERT INTO database_clock VALUES (0)");
  for (const { name } of connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .all())
    connection.exec(`DROP INDEX ${name}`);
  const set = connection.prepare("UPDATE database_clock SET now = ?");
  const emptied = TABLES.map((table) => connection.prepare(`DELETE FROM ${table}`));
  const statements = new Map<string, StatementSync>();
  return {
    store: createStore(database),
    setClock: (now) => void set.run(now),
    rows(query, ...parameters) {
      const statement = statements.get(query) ?? connection.prepare(query);
      statements.set(query, statement);
      return statement.all(...parameters);
    },
    empty: () => {
      for (const statement of emptied) statement.run();
    },
  };
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
