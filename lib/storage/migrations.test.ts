import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type QueryExecutorProvider, sql } from "kysely";
import { expect, test } from "vitest";
import { migrations, prepareTables } from "#lib/storage/migrations.ts";
import { openStore } from "#lib/storage/open.ts";
import { openSqlite, SQLITE_DIALECT } from "#lib/storage/sqlite/open.ts";
import { restoreSqlite } from "#lib/storage/sqlite/restore.ts";
import { makeUsedDatabase, openTestStore } from "#testing/storage/used-database.ts";

/** Runs further steps on a database that contains one application. */
async function migrateFurther(databaseFile: string, ...statements: string[]): Promise<void> {
  const database = await openSqlite(databaseFile);
  const step = (statement: string) => async (transaction: QueryExecutorProvider) => {
    await sql.raw(statement).execute(transaction);
  };
  const steps = [...migrations, ...statements.map(step)];
  await prepareTables(database, SQLITE_DIALECT, { tables: "migrate" }, steps).finally(() =>
    database.close(),
  );
}

function rowsOf(file: string, query: string) {
  using database = new DatabaseSync(file);
  return database.prepare(query).all();
}

const VERSION = "SELECT version FROM schema_version";

/** Opens the database as the server of a later version, whose next step renames a column. */
async function startLaterServer(databaseFile: string): Promise<void> {
  const rename = "ALTER TABLE applications RENAME COLUMN message TO words";
  migrations.push((transaction) =>
    sql
      .raw(rename)
      .execute(transaction)
      .then(() => undefined),
  );
  const later = openStore({ databaseFile }, "migrate");
  try {
    await later.readNote("backup");
  } finally {
    migrations.pop();
    await later.close();
  }
}

test("the older version can restore the backup that an update makes [45]", async () => {
  await using used = await makeUsedDatabase();
  const { databaseFile, folder } = used;
  await startLaterServer(databaseFile);
  const [name = ""] = readdirSync(join(folder, "backups"));
  expect(name).toMatch(/^before-update-.+\.db$/);
  const backup = join(folder, "backups", name);
  const refused = {
    reason: "newer-schema",
    message: expect.stringContaining(`(${backup})`),
  };
  await expect(used.store.list({})).rejects.toMatchObject(refused);
  expect(await restoreSqlite(backup, databaseFile, join(folder, "backups", "aside.db"))).toBe(1);
  expect(await openTestStore(databaseFile).list({})).toHaveLength(1);
});

test("a server without room for a backup leaves older tables as they are [45]", async () => {
  await using used = await makeUsedDatabase();
  const { databaseFile, folder } = used;
  // A file in place of the folder makes the backup fail, as a full disk does.
  writeFileSync(join(folder, "backups"), "");
  await expect(startLaterServer(databaseFile)).rejects.toMatchObject({ reason: "failing" });
  expect(rowsOf(databaseFile, VERSION)).toEqual([{ version: migrations.length }]);
  expect(await used.store.list({})).toHaveLength(1);
});

test("a failure in a migration rolls back all steps [45]", async () => {
  await using used = await makeUsedDatabase();
  const { databaseFile } = used;
  const HALF = "CREATE TABLE half (id integer)";
  for (const failing of ["ALTER TABLE schema_version RENAME TO no_version", "no SQL"])
    await expect(migrateFurther(databaseFile, HALF, failing)).rejects.toThrow(/no such|syntax/);
  expect(rowsOf(databaseFile, VERSION)).toEqual([{ version: migrations.length }]);
  expect(rowsOf(databaseFile, "SELECT 1 FROM sqlite_schema WHERE name = 'half'")).toEqual([]);
});
