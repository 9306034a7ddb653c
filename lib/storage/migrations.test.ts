import { DatabaseSync } from "node:sqlite";
import { type QueryExecutorProvider, sql } from "kysely";
import { expect, test } from "vitest";
import { migrations, prepareTables } from "#lib/storage/migrations.ts";
import { openSqlite, SQLITE_DIALECT } from "#lib/storage/sqlite/open.ts";
import { makeUsedDatabase } from "#testing/storage/used-database.ts";

/** Runs further steps on a database that contains one application. */
async function migrateFurther(databaseFile: string, ...statements: string[]): Promise<void> {
  const database = await openSqlite(databaseFile);
  const step = (statement: string) => async (transaction: QueryExecutorProvider) => {
    await sql.raw(statement).execute(transaction);
  };
  const steps = [...migrations, ...statements.map(step)];
  await prepareTables(database, SQLITE_DIALECT, "migrate", steps).finally(() => database.close());
}

function rowsOf(file: string, query: string) {
  using database = new DatabaseSync(file);
  return database.prepare(query).all();
}

const VERSION = "SELECT version FROM schema_version";

test("a failure in a migration rolls back all steps", async () => {
  await using used = await makeUsedDatabase();
  const { databaseFile } = used;
  const HALF = "CREATE TABLE half (id integer)";
  for (const failing of ["ALTER TABLE schema_version RENAME TO no_version", "no SQL"])
    await expect(migrateFurther(databaseFile, HALF, failing)).rejects.toThrow(/no such|syntax/);
  expect(rowsOf(databaseFile, VERSION)).toEqual([{ version: migrations.length }]);
  expect(rowsOf(databaseFile, "SELECT 1 FROM sqlite_schema WHERE name = 'half'")).toEqual([]);
});
