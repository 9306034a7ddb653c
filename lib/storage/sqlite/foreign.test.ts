import { existsSync, readFileSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { examineDatabase } from "#cli/doctor/database.ts";
import { STORAGE_FAULTS } from "#cli/storage-faults.ts";
import { parseConfig } from "#lib/config.ts";
import { openStore } from "#lib/storage/open.ts";
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
  refusal: { reason: "missing" | "foreign"; message: RegExp },
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

/** The tables of a database of ours, as the statements that make them. */
function ourTables(databaseFile: string): string[] {
  const statement =
    "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'";
  return rawly(databaseFile, (database) => database.prepare(statement).all()).map(({ sql }) =>
    String(sql),
  );
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
  rawly(temporary.databaseFile, (database) =>
    database.exec("CREATE TABLE schema_version (version integer NOT NULL)"),
  );
  const { finding } = await examineDatabase(parseConfig({ DATA_DIR: temporary.folder }));
  expect(finding).toMatchObject({ level: "ok", sentence: expect.stringContaining("아직 없고") });
  expect(await accepted(temporary.databaseFile)).toMatchObject({ outcome: "stored" });
});

test.each([
  [
    "version 1 and no table of ours",
    "CREATE TABLE schema_version (version integer); INSERT INTO schema_version VALUES (1)",
  ],
  [
    "a newer version and no table of ours",
    "CREATE TABLE schema_version (version integer); INSERT INTO schema_version VALUES (99)",
  ],
  [
    "a version that is a word",
    "CREATE TABLE schema_version (version text); INSERT INTO schema_version VALUES ('1.0')",
  ],
  ["another column for its version", "CREATE TABLE schema_version (number integer)"],
])("another program's database with %s is refused", async (_what, statements) => {
  await using temporary = temporaryStore();
  rawly(temporary.databaseFile, (database) => database.exec(statements));
  await expectRefused(temporary, { reason: "foreign", message: /another program/ });
  expect(existsSync(`${temporary.databaseFile}.created`)).toBe(false);
});

test.each([
  ["another column", /"?phone"? text/, '"telephone" text'],
  ["one table less", /^create table "idempotency_keys"/i, 'CREATE TABLE "keys"'],
])("a database with our tables but %s is refused", async (_what, part, other) => {
  await using model = temporaryStore();
  await model.store.counts();
  const statements = ourTables(model.databaseFile);
  const changed = statements.map((statement) => statement.replace(part, other));
  expect(changed).not.toEqual(statements);
  await using temporary = temporaryStore();
  const { databaseFile } = temporary;
  const fill = (tables: string[]) =>
    rawly(databaseFile, (database) =>
      database.exec(`${tables.join(";")}; INSERT INTO schema_version VALUES (1)`),
    );
  fill(changed);
  await expectRefused(temporary, { reason: "foreign", message: /another program/ });
  // Its counterpart: nothing but that part was wrong.
  rmSync(databaseFile);
  fill(statements);
  expect(await accepted(databaseFile)).toMatchObject({ outcome: "stored" });
});
