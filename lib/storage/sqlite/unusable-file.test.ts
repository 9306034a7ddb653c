/** Tests of starts on files that cannot be used as the site's database. */
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { examineDatabase } from "#cli/doctor/database.ts";
import { parseConfig } from "#lib/config.ts";
import { storageAdvice, type UnavailableReason } from "#lib/storage/errors.ts";
import { openStore } from "#lib/storage/open.ts";
import { aNewApplication, testWithStore as test } from "#testing/storage/temporary-store.ts";
import {
  catchAcceptError,
  damagePage,
  growDatabase,
  makeUsedDatabase,
  openTestStore,
  waitUntilAccepted,
} from "#testing/storage/used-database.ts";

const replaceBy = (statements: string) => (file: string) => {
  rmSync(file, { force: true });
  using database = new DatabaseSync(file);
  database.exec(statements);
};

/** Damages a page that new applications do not use. */
async function damage(databaseFile: string): Promise<void> {
  const filling = openStore({ databaseFile }, "migrate");
  await growDatabase(filling);
  await filling.close();
  damagePage(databaseFile);
}

type Ruin = (file: string) => void | Promise<void>;
const setVersion =
  (version: number): Ruin =>
  (file) => {
    using database = new DatabaseSync(file);
    database.exec(`UPDATE schema_version SET version = ${version}`);
  };

test.concurrent.for<[what: string, ruin: Ruin, reason: UnavailableReason, says: RegExp]>([
  [
    "no database",
    (file) => writeFileSync(file, "text ".repeat(999)),
    "corrupt",
    /손상되었습니다.+백업을 복원/,
  ],
  ["damaged", damage, "corrupt", /손상되었습니다.+\(applications\.db: /],
  ["empty", truncateSync, "missing", /비어 있습니다.+백업.+\.created.+is empty\)$/],
  ["missing", (file) => rmSync(file), "missing", /\(applications\.db: is missing\)$/],
  [
    "without tables",
    replaceBy("PRAGMA user_version = 1"),
    "missing",
    /\(applications\.db: has no tables\)$/,
  ],
  ["another program's", replaceBy("CREATE TABLE applications (id)"), "foreign", /다른 프로그램의/],
  ["another schema's", replaceBy("CREATE TABLE schema_version (v)"), "foreign", /다른 프로그램의/],
  [
    "of another id",
    replaceBy("CREATE TABLE a (b); PRAGMA application_id = 1"),
    "foreign",
    /다른 프로그램의/,
  ],
  ["too new", setVersion(99), "newer-schema", /새 버전을 다시 켜거나.+version 99/],
])(
  "a database file that is %s is refused until the database is back [7][45][55]",
  async ([, ruin, reason, says], { expect }) => {
    await using used = await makeUsedDatabase();
    const { store, databaseFile, folder } = used;
    const good = readFileSync(databaseFile);
    await ruin(databaseFile);
    const content = () => existsSync(databaseFile) && readFileSync(databaseFile, "base64");
    const before = content();
    const first = await catchAcceptError(store);
    const message = expect.stringMatching(says);
    expect(first).toMatchObject({ name: "StorageUnavailable", reason, message });
    // The same error, because a store tries to open the database at most once a second.
    expect(await store.countApplications().catch((error: unknown) => error)).toBe(first);
    const { findings } = await examineDatabase(parseConfig({ DATA_DIR: folder }));
    expect(findings[0]?.sentence).toContain(storageAdvice(reason, false));
    expect(content()).toBe(before);
    writeFileSync(databaseFile, good);
    expect(await waitUntilAccepted(store)).toMatchObject({ outcome: "stored" });
    expect(await store.countApplications()).toMatchObject({ waiting: 2 });
  },
);

const VERSION_TABLE_ALONE =
  "PRAGMA application_id = 1685219702; CREATE TABLE schema_version (version integer)";
test.for<[what: string, begun: (file: string) => void]>([
  ["before the first table", replaceBy("PRAGMA journal_mode = WAL")],
  ["before the first step", replaceBy(VERSION_TABLE_ALONE)],
])("a start interrupted %s can be repeated", async ([, begun], { store, databaseFile }) => {
  begun(databaseFile);
  expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
});

test("a data folder without database and marker gets a new database", async ({ temporary }) => {
  const databaseFile = join(temporary.folder, "a", "b", "applications.db");
  for (let times = 0; times < 2; times++) {
    const store = openStore({ databaseFile }, "migrate");
    expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
    expect(await store.countApplications()).toMatchObject({ waiting: 1 });
    await store.close();
    rmSync(databaseFile);
    rmSync(`${databaseFile}.created`);
  }
});

test("a data folder or database of the wrong kind is refused", async ({ temporary }) => {
  const notAFolder = join(temporary.folder, "file");
  writeFileSync(notAFolder, "");
  mkdirSync(temporary.databaseFile);
  for (const databaseFile of [join(notAFolder, "applications.db"), temporary.databaseFile]) {
    expect(await catchAcceptError(openTestStore(databaseFile))).toMatchObject({
      message: expect.stringContaining("DATA_DIR"),
    });
  }
});
