import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, vi } from "vitest";
import { log } from "#lib/log.ts";
import { storeProgram } from "#testing/store-program.ts";
import { aNewApplication, TEST_NOW, withStore as test } from "#testing/temporary-store.ts";
import {
  opened,
  refusal,
  untilAccepted,
  untilRefused,
  usedDatabase,
} from "#testing/used-database.ts";

test("a fault is logged in one sentence when it comes and in one when it ends, however often it is met", async () => {
  await using used = await usedDatabase();
  const { store, databaseFile } = used;
  const errors = vi.spyOn(log, "error");
  const infos = vi.spyOn(log, "info");
  renameSync(databaseFile, `${databaseFile}.aside`);
  for (let visitor = 0; visitor < 3; visitor++) await refusal(store);
  expect(errors.mock.calls).toEqual([
    [
      { reason: "missing" },
      expect.stringMatching(/^The database applications\.db is missing.*backup/),
    ],
  ]);
  renameSync(`${databaseFile}.aside`, databaseFile);
  await untilAccepted(store);
  await store.probeWrite(0);
  expect(infos.mock.calls).toEqual([["The database can be used again."]]);
  expect(errors).toHaveBeenCalledTimes(1);
});

describe("while it runs", () => {
  test("a folder that is moved away is not begun anew, and is used again once it is back", async ({
    temporary,
  }) => {
    const folder = join(temporary.folder, "data");
    await using store = opened(join(folder, "applications.db"));
    await store.accept(aNewApplication({ idempotencyKey: "first" }));
    renameSync(folder, `${folder}-away`);
    await untilRefused(store, "is missing although it was created before");
    expect(existsSync(folder)).toBe(false);
    // As an unmounted disk leaves it.
    mkdirSync(folder);
    await untilRefused(store, "is missing although it was created before");
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
    renameSync(`${folder}-away`, folder);
    expect(await untilAccepted(store)).toMatchObject({ outcome: "stored" });
    expect(await store.counts(TEST_NOW)).toMatchObject({ waiting: 2 });
  });

  // The last connection that closes copies the journal by itself; where there is another, nobody does.
  test.for([
    ["", ""],
    [" beside another that reads", "other.prepare('SELECT count(*) FROM applications').get();"],
  ] as const)(
    "a journal that is deleted costs nothing that was acknowledged, even when the process%s is killed",
    async ([, read], { store, databaseFile }) => {
      const program = storeProgram(
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
      expect((await store.counts(TEST_NOW)).waiting).toBeGreaterThanOrEqual(acknowledged ?? 0);
    },
  );

  test("close lets an application that is under way finish; after it every call is refused", async ({
    store,
    databaseFile,
  }) => {
    const accepted = store.accept(aNewApplication());
    await store.close();
    expect(await accepted).toMatchObject({ outcome: "stored" });
    expect(await refusal(store)).toMatchObject({ reason: "closed" });
    await using reopened = opened(databaseFile);
    expect(await reopened.counts(TEST_NOW)).toMatchObject({ waiting: 1 });
  });
});

/** Root may write anywhere, so that the test gives the rights up for a while. */
async function asOrdinaryUser(work: () => Promise<void>) {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test("a store that may not write is unavailable, and recovers when it may", async () => {
  await using used = await usedDatabase();
  const { store, databaseFile, folder } = used;
  const allow = (folderMode: number, fileMode: number) => {
    chmodSync(folder, folderMode);
    for (const file of [databaseFile, `${databaseFile}.created`]) chmodSync(file, fileMode);
  };
  allow(0o555, 0o444);
  await asOrdinaryUser(async () => {
    expect(await refusal(store)).toMatchObject({ name: "StorageUnavailable" });
    await expect(store.probeWrite(0)).rejects.toMatchObject({ name: "StorageUnavailable" });
  });
  allow(0o777, 0o666);
  await asOrdinaryUser(async () => {
    expect(await untilAccepted(store)).toMatchObject({ outcome: "stored" });
  });
});
