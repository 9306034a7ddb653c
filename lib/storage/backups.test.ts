import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { expect } from "vitest";
import { DAY } from "#lib/application/durations.ts";
import {
  backUp,
  deleteOldBackups,
  findBackupFailure,
  forgetInBackups,
} from "#lib/storage/backups.ts";
import { addMessage } from "#lib/storage/queries/messages.ts";
import { verifyBackup } from "#lib/storage/sqlite/copy.ts";
import { deliverWith } from "#testing/delivery/deliver-with.ts";
import {
  aNewApplication,
  anApplication,
  openTemporaryStore,
  TEST_NOW,
  testWithStore as test,
} from "#testing/storage/temporary-store.ts";
import { damagePage, growDatabase, openTestStore } from "#testing/storage/used-database.ts";

const PHONE = "+821011112222";
const NEIGHBOUR = "+821033334444";
/** Strings in a backup that belong to another person. */
const OTHERS = ["이웃", `key${NEIGHBOUR}`, `SM${NEIGHBOUR}`];
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
    await deliverWith(temporary, {
      sms: { outcome: "delivered", providerId: `SM${phone}` },
    });
  }
  await accept("홍길동둘", PHONE);
  const [noticeId = 0] = await store.listNewNoticeIds(1);
  const to = { channel: "sms", recipient: "+821099990000" } as const;
  await store.change((trx) =>
    addMessage(trx, { noticeId, ...to, state: "sending", nextAt: TEST_NOW }),
  );
  const backups = join(folder, "backups");
  mkdirSync(backups);
  const file = join(backups, "one.db");
  backUp(databaseFile, file);
  return { temporary, backups, file };
}

test("a backup opens as a store with every application [43]", async () => {
  const { temporary, file } = await withBackup();
  await using _ = temporary;
  expect(await openTestStore(file).list({})).toEqual(await temporary.store.list({}));
});

test("a damaged copy, and a file that is no database, are refused [43]", async ({ temporary }) => {
  await growDatabase(temporary.store);
  const file = join(temporary.folder, "copy.db");
  expect(backUp(temporary.databaseFile, file)).toBe(50);
  damagePage(file);
  expect(() => verifyBackup(file)).toThrow("손상되었습니다");
  writeFileSync(file, "no database ".repeat(1_000));
  expect(() => backUp(file, join(temporary.folder, "other.db"))).toThrow("손상되었습니다");
});

test("forget removes a person from every backup that can be written", async () => {
  const { temporary, backups, file } = await withBackup();
  await using _ = temporary;
  writeFileSync(join(backups, "broken.db"), "no database ".repeat(1_000));
  copyFileSync(file, join(backups, "locked.db"));
  using lock = new DatabaseSync(join(backups, "locked.db"));
  lock.exec("BEGIN EXCLUSIVE");
  const held = (texts: string[]) => texts.map((text) => readFileSync(file).includes(text));
  const own = ["홍길동", "1011112222", `key${PHONE}`, `SM${PHONE}`];
  expect(held([...own, ...OTHERS])).not.toContain(false);
  const { applicationIds, files, failed } = await forgetInBackups(backups, PHONE);
  expect([files, failed.toSorted()]).toEqual([["one.db"], ["broken.db", "locked.db"]]);
  expect(applicationIds).toHaveLength(2);
  expect(held([...own, ...applicationIds])).not.toContain(true);
  expect(held(OTHERS)).not.toContain(false);
});

/** Tables of another version. Only `applications`, `phone` and `application_id` are sure to keep their names. */
const OTHER_TABLES = `
  CREATE TABLE schema_version (version);
  INSERT INTO schema_version VALUES (99);
  CREATE TABLE applications (application_id TEXT PRIMARY KEY, phone TEXT, words TEXT);
  CREATE TABLE tasks (id INTEGER PRIMARY KEY, application_id TEXT, digest INTEGER REFERENCES tasks (id) ON DELETE SET NULL);
  CREATE TABLE letters (task_id INTEGER REFERENCES tasks (id), provider_id TEXT);
  INSERT INTO applications VALUES ('MINE2222', '${PHONE}', '홍길동'), ('OTHER222', '${NEIGHBOUR}', '이웃');
  INSERT INTO tasks VALUES (1, 'MINE2222', NULL), (2, 'OTHER222', 1);
  INSERT INTO letters VALUES (1, 'SM${PHONE}'), (2, 'SM${NEIGHBOUR}');`;

test("forget removes a person from tables of another version and from a journal [44]", async ({
  temporary: { folder },
}) => {
  const site = new DatabaseSync(join(folder, "site.db"));
  site.exec(`PRAGMA journal_mode = WAL; ${OTHER_TABLES}`);
  const name = "before-restore-2026-11-20_033000.db";
  // A database that was moved away while it was damaged brings its journal.
  for (const end of ["", "-wal"])
    copyFileSync(join(folder, `site.db${end}`), join(folder, `${name}${end}`));
  site.close();
  rmSync(join(folder, "site.db"));
  expect(await forgetInBackups(folder, PHONE)).toEqual({
    applicationIds: ["MINE2222"],
    files: [name],
    failed: [],
  });
  expect(readdirSync(folder)).toEqual([name]);
  const content = readFileSync(join(folder, name));
  const held = (texts: string[]) => texts.map((text) => content.includes(text));
  expect(held(["홍길동", "1011112222", "MINE2222"])).not.toContain(true);
  expect(held(["이웃", NEIGHBOUR, "OTHER222", `SM${NEIGHBOUR}`])).not.toContain(false);
});

test("forget waits for a program that reads the backup", async () => {
  const { temporary, backups, file } = await withBackup();
  await using _ = temporary;
  const reading = `const { DatabaseSync } = require("node:sqlite");
    const { parentPort, workerData } = require("node:worker_threads");
    const backup = new DatabaseSync(workerData);
    backup.exec("BEGIN; SELECT count(*) FROM applications");
    parentPort.postMessage("reading");
    setTimeout(() => backup.close(), 20);`;
  await once(new Worker(reading, { eval: true, workerData: file }), "message");
  const forgotten = await forgetInBackups(backups, PHONE);
  expect(forgotten).toMatchObject({ files: ["one.db"], failed: [] });
});

test("forget deletes the file of an interrupted backup, not of a running one", async () => {
  const { temporary, backups, file } = await withBackup();
  await using _ = temporary;
  const copies = [".interrupted.db.1.tmp", ".written.db.2.tmp"];
  for (const copy of copies) copyFileSync(file, join(backups, copy));
  const hourAgo = Date.now() / 1_000 - 3_601;
  utimesSync(join(backups, ".interrupted.db.1.tmp"), hourAgo, hourAgo);
  expect(await forgetInBackups(backups, PHONE)).toMatchObject({ failed: [] });
  expect(copies.map((copy) => existsSync(join(backups, copy)))).toEqual([false, true]);
});

test("the site's own backups are deleted 14 days after the time in their names [44]", async ({
  temporary: { folder },
}) => {
  const old = [
    "applications-2026-11-17_092959.db",
    "before-restore-2026-11-17_092959.db",
    "before-restore-2026-11-17_092959.db-wal",
    "before-update-2025-01-01_000000.db",
  ];
  const stay = [
    "applications-2026-11-17_093001.db",
    "before-update-2027-01-01_000000.db",
    "mine.db",
  ];
  for (const name of [...old, ...stay]) writeFileSync(join(folder, name), "");
  expect(await deleteOldBackups(folder, TEST_NOW)).toEqual({ deleted: old, failed: [] });
  expect(readdirSync(folder).toSorted()).toEqual(stay);
});

test("a missing backup is reported three days after the last one [43]", async ({ store }) => {
  const failedAt = async (at: number) => (await findBackupFailure(store, at))?.at;
  expect(await failedAt(TEST_NOW)).toBeUndefined();
  await store.writeNote("backup", { at: TEST_NOW, value: "a.db" });
  expect(await failedAt(TEST_NOW + 3 * DAY - 1)).toBeUndefined();
  expect(await failedAt(TEST_NOW + 9 * DAY)).toBe(TEST_NOW + 3 * DAY);
});

test("forget and deletion report an unreadable folder as failed", async ({ temporary }) => {
  const file = join(temporary.folder, "backups");
  writeFileSync(file, "a file where the folder should be");
  expect(await forgetInBackups(file, PHONE)).toMatchObject({ files: [], failed: [file] });
  expect(await deleteOldBackups(file, TEST_NOW)).toEqual({ deleted: [], failed: [file] });
});
