import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { log } from "#lib/log.ts";
import { openSqlite } from "#lib/storage/sqlite/open.ts";
import { buildStoreProgram } from "#testing/storage/store-program.ts";
import { aNewApplication, testWithStore as test } from "#testing/storage/temporary-store.ts";
import {
  catchAcceptError,
  makeUsedDatabase,
  openTestStore,
  waitUntilAccepted,
  waitUntilDatabaseMissing,
} from "#testing/storage/used-database.ts";

type Ruin = (file: string) => void;
/** Sets a version of the file format that SQLite can read but not write. */
const makeReadOnly: Ruin = (file) => {
  const bytes = readFileSync(file);
  bytes[18] = 3;
  writeFileSync(file, bytes);
};

test.for<[reason: string, ruin: Ruin, says: RegExp]>([
  ["missing", (file) => rmSync(file), /백업을 복원.+is missing\)$/],
  ["read-only", makeReadOnly, /^데이터베이스에 쓸 수 없습니다\..+\(applications\.db: /],
])("the fault of a %s database is logged only once", async ([reason, ruin, says]) => {
  await using used = await makeUsedDatabase();
  const { store, databaseFile } = used;
  const errors = vi.spyOn(log, "error");
  const infos = vi.spyOn(log, "info");
  const good = readFileSync(databaseFile);
  ruin(databaseFile);
  for (let visitor = 0; visitor < 3; visitor++)
    expect(await catchAcceptError(store)).toMatchObject({ name: "StorageUnavailable", reason });
  await expect(store.probeAcceptance(0)).rejects.toMatchObject({ reason });
  expect(errors.mock.calls).toEqual([[{ reason }, expect.stringMatching(says)]]);
  writeFileSync(databaseFile, good);
  await waitUntilAccepted(store);
  await store.probeAcceptance(0);
  expect(infos.mock.calls).toEqual([["The database can be used again."]]);
  expect(errors).toHaveBeenCalledTimes(1);
});

test("a data folder that was moved away is used after its return [54]", async ({ temporary }) => {
  const folder = join(temporary.folder, "data");
  const store = openTestStore(join(folder, "applications.db"));
  await store.accept(aNewApplication({ idempotencyKey: "first" }));
  renameSync(folder, `${folder}-away`);
  await waitUntilDatabaseMissing(store, "applications.db: is missing");
  expect(existsSync(folder)).toBe(false);
  // The empty folder is what an unmounted disk leaves.
  mkdirSync(folder);
  await waitUntilDatabaseMissing(store, "applications.db: is missing");
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
  renameSync(`${folder}-away`, folder);
  expect(await waitUntilAccepted(store)).toMatchObject({ outcome: "stored" });
  expect(await store.countApplications()).toMatchObject({ waiting: 2 });
});

// A connection that has read keeps the closing of another one from copying the journal into the database.
test.for([
  ["", ""],
  [" beside another reader", "other.prepare('SELECT count(*) FROM applications').get();"],
] as const)(
  "a kill after the journal was deleted%s loses no acknowledged application [54]",
  async ([, read], { store, databaseFile }) => {
    const program = buildStoreProgram(
      databaseFile,
      `const acceptFive = async (from) => {
      for (let key = from; key < from + 5; key++) say(await accept("" + key));
    };
    await acceptFive(0);
    const other = new DatabaseSync(databaseFile, { readOnly: true });
    ${read}
    rmSync(databaseFile + "-wal");
    await acceptFive(5);
    process.kill(process.pid, "SIGKILL");`,
    );
    const parameters = ["--input-type=module", "--eval", program];
    const { stdout } = spawnSync(process.execPath, parameters, { encoding: "utf8" });
    const acknowledged = stdout.match(/^stored$/gm)?.length;
    expect(acknowledged).toBeGreaterThanOrEqual(5);
    expect((await store.countApplications()).waiting).toBeGreaterThanOrEqual(acknowledged ?? 0);
  },
);

test("a transaction fails if the database is deleted meanwhile [54]", async ({ temporary }) => {
  const file = join(temporary.folder, "going.db");
  const database = await openSqlite(file, { tables: "create" });
  const storing = database.write(async () => rmSync(file));
  await expect(storing).rejects.toMatchObject({ reason: "missing" });
  await database.close();
});

test("a closed store refuses only the operations that begin later", async ({
  store,
  databaseFile,
}) => {
  const accepted = store.accept(aNewApplication());
  await store.close();
  expect(await accepted).toMatchObject({ outcome: "stored" });
  expect(await catchAcceptError(store)).toMatchObject({ reason: "closed" });
  const reopened = openTestStore(databaseFile);
  expect(await reopened.countApplications()).toMatchObject({ waiting: 1 });
});
