import { existsSync, readFileSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { examineDatabase } from "#cli/doctor/database.ts";
import { STORAGE_FAULTS } from "#cli/storage-faults.ts";
import { parseConfig } from "#lib/config.ts";
import { openStore } from "#lib/storage/open.ts";
import { claim } from "#lib/storage/sqlite/owner.ts";
import { aNewApplication, temporaryStore } from "#testing/temporary-store.ts";

function rawly<Result>(file: string, use: (database: DatabaseSync) => Result): Result {
  using database = new DatabaseSync(file);
  return use(database);
}

/** What a visitor's application meets, as at the start of the site. */
async function accepted(databaseFile: string): Promise<unknown> {
  const store = openStore({ databaseFile });
  const answer = await store.accept(aNewApplication()).catch((error: unknown) => error);
  await store.close();
  return answer;
}

/** A file that is refused, by the doctor too, and left as it is. */
async function expectRefused(
  { folder, databaseFile }: { folder: string; databaseFile: string },
  refusal: { reason: "missing" | "foreign" | "too-old"; message: RegExp },
): Promise<void> {
  const before = readFileSync(databaseFile);
  expect(await accepted(databaseFile)).toMatchObject({
    name: "StorageUnavailable",
    reason: refusal.reason,
    message: expect.stringMatching(refusal.message),
  });
  const { finding } = await examineDatabase(parseConfig({ DATA_DIR: folder }));
  expect(finding.sentence).toBe(STORAGE_FAULTS[refusal.reason]);
  expect(readFileSync(databaseFile).equals(before)).toBe(true);
}

test("a file without any table in the place of a used database is refused, as a lost one is", async () => {
  await using temporary = temporaryStore();
  const { store, databaseFile } = temporary;
  await store.accept(aNewApplication());
  await store.close();
  rmSync(databaseFile);
  // A database to SQLite, as it is without its journal, or after another tool has begun one.
  rawly(databaseFile, (database) => database.exec("PRAGMA user_version = 1"));
  await expectRefused(temporary, {
    reason: "missing",
    message: /has no tables although it was created before.*delete applications\.db\.created/,
  });
  rmSync(`${databaseFile}.created`);
  expect(await accepted(databaseFile)).toMatchObject({ outcome: "stored" });
});

test("a start that ended before the first table goes on", async () => {
  await using temporary = temporaryStore();
  rawly(temporary.databaseFile, (database) => database.exec("PRAGMA journal_mode = WAL"));
  expect(await accepted(temporary.databaseFile)).toMatchObject({ outcome: "stored" });
});

test("a start that ended between the version's table and the first step goes on", async () => {
  await using temporary = temporaryStore();
  rawly(temporary.databaseFile, (database) => {
    claim(database);
    database.exec("CREATE TABLE schema_version (version integer NOT NULL)");
  });
  expect(await accepted(temporary.databaseFile)).toMatchObject({ outcome: "stored" });
});

test.each([
  "CREATE TABLE customers (id integer)",
  "CREATE TABLE applications (id integer); INSERT INTO applications VALUES (1)",
  "CREATE TABLE schema_version (version integer); INSERT INTO schema_version VALUES (1)",
  "CREATE TABLE customers (id integer); PRAGMA application_id = 1",
])("the database of another program is refused: %s", async (statements) => {
  await using temporary = temporaryStore();
  rawly(temporary.databaseFile, (database) => database.exec(statements));
  await expectRefused(temporary, { reason: "foreign", message: /another program/ });
  expect(existsSync(`${temporary.databaseFile}.created`)).toBe(false);
});

test("a database of this site from before 1.0.0 is refused as what it is", async () => {
  await using temporary = temporaryStore();
  rawly(temporary.databaseFile, (database) =>
    database.exec(
      `CREATE TABLE applications (application_id text); CREATE TABLE deliveries (id integer);
       CREATE TABLE schema_version (version integer); INSERT INTO schema_version VALUES (3)`,
    ),
  );
  await expectRefused(temporary, {
    reason: "too-old",
    message: /before 1\.0\.0.*cannot take over/,
  });
  expect(existsSync(`${temporary.databaseFile}.created`)).toBe(false);
});
