import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openStore } from "#lib/storage/open.ts";
import {
  aNewApplication,
  anApplication,
  TEST_NOW,
  temporaryStore,
} from "#testing/temporary-store.ts";
import { refusal, untilAccepted, usedDatabase } from "#testing/used-database.ts";

const PAGE_BYTES = 4_096;

describe("at start", () => {
  test("the first start creates the folder, the database and the marker beside it", async () => {
    await using temporary = temporaryStore();
    const databaseFile = join(temporary.folder, "a", "b", "applications.db");
    const store = openStore({ databaseFile });
    expect(await store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
    await store.close();
    expect(existsSync(`${databaseFile}.created`)).toBe(true);
  });

  test("a file that is no database is refused, left as it is, and tried again", async () => {
    await using used = await usedDatabase();
    const { store, databaseFile } = used;
    const good = readFileSync(databaseFile);
    const garbage = "this is no database. ".repeat(500);
    writeFileSync(databaseFile, garbage);

    expect(await refusal(store)).toMatchObject({
      name: "StorageUnavailable",
      reason: "corrupt",
      message: expect.stringMatching(/applications\.db.*restore the last backup/),
    });
    expect(readFileSync(databaseFile, "utf8")).toBe(garbage);

    writeFileSync(databaseFile, good);
    expect(await untilAccepted(store)).toMatchObject({ outcome: "stored" });
  });

  test("a database that is damaged where no new application goes is refused too, and left as it is", async () => {
    await using used = await usedDatabase();
    const { databaseFile } = used;
    const filling = openStore({ databaseFile });
    const application = anApplication({ message: "가".repeat(1_000) });
    for (let index = 0; index < 50; index++) {
      await filling.accept(aNewApplication({ application, idempotencyKey: `${index}` }));
    }
    await filling.close();
    const middle = Math.floor(statSync(databaseFile).size / PAGE_BYTES / 2) * PAGE_BYTES;
    const descriptor = openSync(databaseFile, "r+");
    writeSync(descriptor, Buffer.alloc(64, 0xff), 0, 64, middle);
    closeSync(descriptor);
    const damaged = readFileSync(databaseFile);

    expect(await refusal(used.store)).toMatchObject({ reason: "corrupt" });
    expect(readFileSync(databaseFile).equals(damaged)).toBe(true);
  });

  test("an emptied database is refused and left empty", async () => {
    await using used = await usedDatabase();
    truncateSync(used.databaseFile);
    expect(await refusal(used.store)).toMatchObject({
      reason: "missing",
      message: expect.stringMatching(/is empty.*backup.*delete applications\.db\.created/),
    });
    expect(statSync(used.databaseFile).size).toBe(0);
  });

  test("a missing database is not begun anew, and is used again once it is back", async () => {
    await using used = await usedDatabase();
    const { store, databaseFile } = used;
    renameSync(databaseFile, `${databaseFile}.aside`);
    expect(await refusal(store)).toMatchObject({
      reason: "missing",
      message: expect.stringContaining("is missing"),
    });
    expect(existsSync(databaseFile)).toBe(false);

    renameSync(`${databaseFile}.aside`, databaseFile);
    expect(await untilAccepted(store)).toMatchObject({ outcome: "stored" });
    expect(await store.counts(TEST_NOW)).toMatchObject({ waiting: 2 });
  });

  test("without the marker the operator begins anew", async () => {
    await using used = await usedDatabase();
    rmSync(used.databaseFile);
    rmSync(`${used.databaseFile}.created`);
    expect(await used.store.accept(aNewApplication())).toMatchObject({ outcome: "stored" });
    expect(await used.store.counts(TEST_NOW)).toMatchObject({ waiting: 1 });
  });

  test("a folder that is a file is refused in a sentence", async () => {
    await using temporary = temporaryStore();
    const notAFolder = join(temporary.folder, "file");
    writeFileSync(notAFolder, "");
    const store = openStore({ databaseFile: join(notAFolder, "applications.db") });
    expect(await refusal(store)).toMatchObject({
      name: "StorageUnavailable",
      message: expect.stringContaining("DATA_DIR"),
    });
    await store.close();
  });

  test("a database that is a folder is refused in a sentence", async () => {
    await using temporary = temporaryStore();
    mkdirSync(temporary.databaseFile);
    expect(await refusal(temporary.store)).toMatchObject({ name: "StorageUnavailable" });
  });

  test("a refused opening is tried again at most once a second", async () => {
    await using used = await usedDatabase();
    writeFileSync(used.databaseFile, "garbage".repeat(1_000));
    const first = await refusal(used.store);
    expect(await refusal(used.store)).toBe(first);
  });
});
