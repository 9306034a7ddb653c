/** The real store on a SQLite in memory, for tests that make thousands of them; its clock is the test's. */
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import type { Database } from "#lib/storage/database.ts";
import { migrate } from "#lib/storage/migrations.ts";
import { sqliteDialect } from "#lib/storage/sqlite/driver.ts";
import { type Store, storeOn } from "#lib/storage/store.ts";
import type { Tables } from "#lib/storage/tables.ts";

export interface StoreInMemory {
  store: Store;
  /** Sets the database's own clock. */
  setClock(now: number): void;
  rows(query: string): Record<string, unknown>[];
  /** As on the first day. */
  empty(): void;
}

export async function storeInMemory(): Promise<StoreInMemory> {
  const connection = new DatabaseSync(":memory:");
  const kysely = new Kysely<Tables>({ dialect: sqliteDialect(connection, ":memory:") });
  const database: Database = {
    write: (work) => kysely.transaction().execute(work),
    read: (work) => work(kysely),
    purgeJournal: async () => true,
    now: () => 0,
    close: () => kysely.destroy(),
  };
  await migrate(database, { clock: "0", identity: "primary key autoincrement" });
  connection.exec("DROP VIEW database_clock; CREATE TABLE database_clock (now integer)");
  connection.exec("INSERT INTO database_clock VALUES (0)");
  const set = connection.prepare("UPDATE database_clock SET now = ?");
  return {
    store: storeOn(database),
    setClock: (now) => void set.run(now),
    rows: (query) => connection.prepare(query).all(),
    empty: () =>
      connection.exec(
        "DELETE FROM sends; DELETE FROM jobs; DELETE FROM applications; DELETE FROM worker; DELETE FROM notes; DELETE FROM idempotency_keys",
      ),
  };
}
