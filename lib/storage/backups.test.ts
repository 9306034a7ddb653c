import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { expect } from "vitest";
import { HOUR } from "#lib/application/durations.ts";
import {
  type ApplicationsToDelete,
  backUp,
  deleteFromBackups,
  deleteOldBackups,
  findBackupFailure,
  noteBackup,
} from "#lib/storage/backups.ts";
import { verifyCopy } from "#lib/storage/sqlite/copy.ts";
import { runWorkerOnce } from "#testing/delivery/run-worker-once.ts";
import {
  acquireTestLease,
  aNewApplication,
  anApplication,
  findDueJobs,
  openTemporaryStore,
  TEST_NOW,
  testWithStore as test,
} from "#testing/storage/temporary-store.ts";
import { damagePage, fillDatabase, openTestStore } from "#testing/storage/used-database.ts";

const PHONE = "+821011112222";
const NEIGHBOUR = "+821033334444";
/** Strings in a backup that belong to another person. */
const OTHERS = ["이웃", `key${NEIGHBOUR}`, `SM${NEIGHBOUR}`];
const HOLDER = "worker";
const LEAVING = {
  channel: "sms",
  recipients: ["+821099990000"],
  segments: 1,
  now: TEST_NOW,
  earliest: () => TEST_NOW,
} as const;

/** A store with two delivered applications and one that is being sent, and a backup of the store. */
async function withBackup() {
  const temporary = openTemporaryStore();
  const { store, folder, databaseFile } = temporary;
  const accept = (name: string, phone: string, idempotencyKey?: string) =>
    store.accept(aNewApplication({ application: anApplication({ name, phone }), idempotencyKey }));
  for (const [name, phone] of [
    ["홍길동", PHONE],
    ["이웃", NEIGHBOUR],
  ] as const) {
    await accept(name, phone, `key${phone}`);
    await runWorkerOnce(temporary, { sms: { outcome: "delivered", providerId: `SM${phone}` } });
  }
  await accept("홍길동둘", PHONE);
  await acquireTestLease(store, HOLDER);
  for (const { id } of await findDueJobs(store)) await store.recordAttempts(HOLDER, id, LEAVING);
  const backups = join(folder, "backups");
  mkdirSync(backups);
  const file = join(backups, "one.db");
  backUp(databaseFile, file);
  return { temporary, backups, file };
}

test("a backup opens as a store with every application", async () => {
  const { temporary, file } = await withBackup();
  await using _ = temporary;
  expect(await openTestStore(file).list({})).toEqual(await temporary.store.list({}));
});

test("a damaged copy, and a file that is no database, are refused", async ({ temporary }) => {
  await fillDatabase(temporary.store);
  const file = join(temporary.folder, "copy.db");
  expect(backUp(temporary.databaseFile, file)).toBe(50);
  damagePage(file);
  expect(() => verifyCopy(file)).toThrow("is damaged");
  writeFileSync(file, "no database ".repeat(1_000));
  expect(() => backUp(file, join(temporary.folder, "other.db"))).toThrow("is damaged");
});

test.for<[what: string, which: ApplicationsToDelete, gone: string[], stays: string[]]>([
  ["a forgotten person", { phone: PHONE }, ["홍길동", "1011112222"], OTHERS],
  ["applications past their retention", { finishedBefore: TEST_NOW + 1 }, ["이웃"], ["홍길동둘"]],
  ["nothing within its retention", { finishedBefore: TEST_NOW }, [], ["홍길동", "이웃"]],
])("a deletion from the backups removes %s", async ([, cleaning, gone, stays]) => {
  const { temporary, backups, file } = await withBackup();
  await using _ = temporary;
  writeFileSync(join(backups, "broken.db"), "no database ".repeat(1_000));
  copyFileSync(file, join(backups, "locked.db"));
  using lock = new DatabaseSync(join(backups, "locked.db"));
  lock.exec("BEGIN EXCLUSIVE");
  const held = (texts: string[]) => texts.map((text) => readFileSync(file).includes(text));
  expect(held([...gone, ...stays])).not.toContain(false);
  const { applicationIds, files, failed } = await deleteFromBackups(backups, cleaning);
  expect([files, failed.toSorted()]).toEqual([
    gone.length > 0 ? ["one.db"] : [],
    ["broken.db", "locked.db"],
  ]);
  expect(applicationIds).toHaveLength(gone.length > 0 ? 2 : 0);
  // A deletion by age keeps the idempotency keys, which contain the application numbers.
  expect(held("phone" in cleaning ? [...gone, ...applicationIds] : gone)).not.toContain(true);
  expect(held(stays)).not.toContain(false);
});

test("a deletion waits until another program has read the backup", async () => {
  const { temporary, backups, file } = await withBackup();
  await using _ = temporary;
  const reading = `const { DatabaseSync } = require("node:sqlite");
    const { parentPort, workerData } = require("node:worker_threads");
    const backup = new DatabaseSync(workerData);
    backup.exec("BEGIN; SELECT count(*) FROM applications");
    parentPort.postMessage("reading");
    setTimeout(() => backup.close(), 20);`;
  await once(new Worker(reading, { eval: true, workerData: file }), "message");
  const cleaned = await deleteFromBackups(backups, { phone: PHONE });
  expect(cleaned).toMatchObject({ files: ["one.db"], failed: [] });
});

test("the file of a backup is deleted only if the backup was interrupted", async () => {
  const { temporary, backups, file } = await withBackup();
  await using _ = temporary;
  const copies = [".interrupted.db.1.tmp", ".written.db.2.tmp"];
  for (const copy of copies) copyFileSync(file, join(backups, copy));
  const hourAgo = Date.now() / 1_000 - 3_601;
  utimesSync(join(backups, ".interrupted.db.1.tmp"), hourAgo, hourAgo);
  expect(await deleteFromBackups(backups, { phone: PHONE })).toMatchObject({ failed: [] });
  expect(copies.map((copy) => existsSync(join(backups, copy)))).toEqual([false, true]);
});

test("nightly backups are kept for 14 days from the date in their names", async ({ temporary }) => {
  const dayOf = (day: number) => `${day + 1}`.padStart(2, "0");
  const names = Array.from(
    { length: 20 },
    (_, day) => `applications-2026-11-${dayOf(day)}_033000.db`,
  );
  // The file with the oldest name is written last, as by a deletion from that backup.
  for (const name of [...names, "mine.db"].toReversed())
    writeFileSync(join(temporary.folder, name), "");
  expect((await deleteOldBackups(temporary.folder)).toSorted()).toEqual(names.slice(0, 6));
  expect(readdirSync(temporary.folder).toSorted()).toEqual([...names.slice(6), "mine.db"]);
  expect(await deleteOldBackups(temporary.folder)).toEqual([]);
});

test.for<[hours: number[], isReported: boolean]>([
  [[0, 24, 48], true],
  [[0, 24, 26, 48], true],
  [[0, 24], false],
  [[0, 2, 4, 6], false],
  [[0, 24, 48, 120], false],
])("the end of backups at the hours %j is reported: %s", async ([hours, reported], { store }) => {
  const at = (hour: number) => TEST_NOW + hour * HOUR;
  for (const hour of hours) await noteBackup(store, { at: at(hour), value: "a.db" });
  const failedAt = async (hour: number) => (await findBackupFailure(store, at(hour)))?.at;
  expect(await failedAt(119)).toBeUndefined();
  expect(await failedAt(500)).toBe(reported ? at(120) : undefined);
});

test("deleteFromBackups reports an unreadable folder as failed", async ({ temporary }) => {
  const file = join(temporary.folder, "backups");
  writeFileSync(file, "a file where the folder should be");
  expect(await deleteFromBackups(file, { phone: PHONE })).toMatchObject({
    files: [],
    failed: [file],
  });
});
