import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { backUp, cleanBackups, keepNewest } from "#lib/storage/backups.ts";
import { openStore } from "#lib/storage/open.ts";
import { checkCopy } from "#lib/storage/sqlite/copy.ts";
import {
  aNewApplication,
  anApplication,
  TEST_NOW,
  temporaryStore,
} from "#testing/temporary-store.ts";

const DAY_MS = 24 * 60 * 60_000;

const person = (name: string, phone: string, now = TEST_NOW) =>
  aNewApplication({ application: anApplication({ name, phone }), now });

const HOLDER = "worker";
const ANY_DUE = { now: TEST_NOW, limit: 9 };
const DONE = { state: "done", nextAt: TEST_NOW, tries: 0, retryAt: TEST_NOW } as const;
const LEAVING = {
  carrier: "sms",
  recipients: ["+821099990000"],
  segments: 1,
  caps: { hourly: 9, daily: 9 },
} as const;

/** A store with two applications that the owner has and one whose message is leaving, and a backup of it. */
async function withBackup() {
  const temporary = temporaryStore();
  const { store, folder, databaseFile } = temporary;
  await store.holdWorker(HOLDER);
  await store.accept(person("홍길동", "+821011112222"));
  await store.accept(person("이웃", "+821033334444"));
  for (const job of await store.dueJobs(ANY_DUE))
    await store.settleJob(HOLDER, job, DONE, TEST_NOW);
  await store.accept(person("홍길동둘", "+821011112222"));
  for (const job of await store.dueJobs(ANY_DUE)) {
    await store.beginSends(HOLDER, { ...LEAVING, jobId: job.id, now: TEST_NOW });
  }
  const backups = join(folder, "backups");
  mkdirSync(backups);
  const file = join(backups, "one.db");
  const copied = backUp(databaseFile, file);
  const holds = (text: string) => readFileSync(file).includes(Buffer.from(text));
  return { temporary, backups, file, copied, holds };
}

test("a copy holds everything, its journal included, and opens as a store", async () => {
  const { temporary, file, copied } = await withBackup();
  await using _ = temporary;
  expect(copied).toBe(3);
  const restored = openStore({ databaseFile: file });
  expect(await restored.counts(TEST_NOW)).toMatchObject({ done: 2, waiting: 1 });
  expect(await restored.list({})).toEqual(await temporary.store.list({}));
  await restored.close();
});

test("a copy that is damaged is refused, and so is what is no database", async () => {
  await using temporary = temporaryStore();
  const application = anApplication({ message: "가".repeat(1_000) });
  for (let index = 0; index < 50; index++)
    await temporary.store.accept(aNewApplication({ application, idempotencyKey: `${index}` }));
  const file = join(temporary.folder, "copy.db");
  expect(backUp(temporary.databaseFile, file)).toBe(50);
  const bytes = readFileSync(file);
  // The head of a page; what is in the middle of one is content, which has no wrong form.
  const page = Math.floor(bytes.length / 2 / 4_096) * 4_096;
  writeFileSync(file, bytes.fill(0xff, page, page + 64));
  expect(() => checkCopy(file)).toThrow("is damaged");
  writeFileSync(file, "no database ".repeat(1_000));
  expect(() => backUp(file, join(temporary.folder, "other.db"))).toThrow("is damaged");
});

test("a person who is forgotten is gone from the backups too, byte for byte", async () => {
  const { temporary, backups, holds } = await withBackup();
  await using _ = temporary;
  writeFileSync(join(backups, "broken.db"), "no database ".repeat(1_000));
  expect(holds("홍길동") && holds("1011112222")).toBe(true);
  const cleaned = await cleanBackups(backups, { phone: "+821011112222" });
  expect(cleaned).toMatchObject({ files: ["one.db"], failed: ["broken.db"] });
  expect(cleaned.applicationIds).toHaveLength(2);
  expect(holds("홍길동") || holds("1011112222")).toBe(false);
  expect(holds("이웃")).toBe(true);
});

test("what was delivered longer ago than it is kept goes from the backups too", async () => {
  const { temporary, backups, holds } = await withBackup();
  await using _ = temporary;
  expect((await cleanBackups(backups, { deliveredBefore: TEST_NOW })).applicationIds).toEqual([]);
  const cleaned = await cleanBackups(backups, { deliveredBefore: TEST_NOW + 1 });
  expect(cleaned.applicationIds).toHaveLength(2);
  expect(holds("이웃")).toBe(false);
  expect(holds("홍길동둘")).toBe(true);
});

test("a backup that is locked is not waited for, and the others are cleaned", async () => {
  const { temporary, backups } = await withBackup();
  await using _ = temporary;
  copyFileSync(join(backups, "one.db"), join(backups, "locked.db"));
  using lock = new DatabaseSync(join(backups, "locked.db"));
  lock.exec("BEGIN EXCLUSIVE");
  const cleaned = await cleanBackups(backups, { phone: "+821011112222" });
  expect(cleaned).toMatchObject({ files: ["one.db"], failed: ["locked.db"] });
});

test("nightly backups are kept for 14 days by their names, whatever the files' times and the clock say", async () => {
  await using temporary = temporaryStore();
  const names = Array.from(
    { length: 20 },
    (_, day) => `applications-2026-11-${`${day + 1}`.padStart(2, "0")}_033000.db`,
  );
  for (const [age, name] of [...names, "mine.db"].entries()) {
    const file = join(temporary.folder, name);
    writeFileSync(file, "");
    // The oldest by its name is the newest by its time, as the clean-up leaves it.
    const time = (TEST_NOW - age * DAY_MS) / 1_000;
    utimesSync(file, time, time);
  }
  expect((await keepNewest(temporary.folder)).toSorted()).toEqual(names.slice(0, 6));
  expect(readdirSync(temporary.folder).toSorted()).toEqual([...names.slice(6), "mine.db"]);
  expect(await keepNewest(temporary.folder)).toEqual([]);
});
