import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { expect, vi } from "vitest";
import { log } from "#lib/log.ts";
import { buildStoreProgram } from "#testing/storage/store-program.ts";
import { acquireTestLease, testWithStore as test } from "#testing/storage/temporary-store.ts";
import { openTestStore } from "#testing/storage/used-database.ts";

/** Starts a process that asks for the lease, says the answer, and keeps running. */
async function startWorkerProcess(databaseFile: string) {
  const program = buildStoreProgram(
    databaseFile,
    `say(await store.acquireLease({ holder: "process", hasChannel: true }));
    // The store holds the lock only until it is collected as garbage.
    setInterval(() => store, 1_000);`,
  );
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program]);
  const [answer] = await once(child.stdout, "data");
  return { child, answer: String(answer).trim() };
}

test("one of two processes on one file has the lease until that process is killed [9]", async ({
  store,
  databaseFile,
}) => {
  await store.countApplications();
  const { child, answer } = await startWorkerProcess(databaseFile);
  expect(answer).toBe("acquired");
  expect(await acquireTestLease(store, "here")).toBe("held-by-another");
  expect(await store.asHolder("here", async () => "changed")).toBeUndefined();
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await acquireTestLease(store, "here")).toBe("acquired");
  expect(await store.asHolder("here", async () => "changed")).toBe("changed");
});

test("a worker gets the lease of a stopped worker of its process", async ({ store }) => {
  expect(await acquireTestLease(store, "first")).toBe("acquired");
  expect(await acquireTestLease(store, "first")).toBe("kept");
  expect(await acquireTestLease(store, "second")).toBe("held-by-another");
  await store.releaseLease("second");
  expect(await acquireTestLease(store, "second")).toBe("held-by-another");
  await store.releaseLease("first");
  expect(await acquireTestLease(store, "second")).toBe("acquired");
});

test("a worker that keeps its lease writes nothing to the disk", async ({
  store,
  databaseFile,
}) => {
  await acquireTestLease(store, "worker");
  const writeTimes = () =>
    [databaseFile, `${databaseFile}-wal`].map((file) => statSync(file).mtimeMs);
  const before = writeTimes();
  for (let times = 0; times < 3; times++) await acquireTestLease(store, "worker");
  expect(writeTimes()).toEqual(before);
  expect(statSync(`${databaseFile}.worker`).size).toBe(0);
});

test("a lock file with foreign content is emptied, and then locked", async ({
  store,
  databaseFile,
}) => {
  await store.countApplications();
  writeFileSync(`${databaseFile}.worker`, "no database".repeat(100));
  expect(await acquireTestLease(store, "worker")).toBe("held-by-another");
  expect(await acquireTestLease(store, "worker")).toBe("acquired");
  expect(await acquireTestLease(openTestStore(databaseFile), "other")).toBe("held-by-another");
});

test("a lock file that cannot be opened is reported once", async ({ store, databaseFile }) => {
  const report = vi.spyOn(log, "error");
  await store.countApplications();
  // No program, not even of root, can open a folder as a file.
  mkdirSync(`${databaseFile}.worker`);
  for (let times = 0; times < 2; times++)
    expect(await acquireTestLease(store, "worker")).toBe("held-by-another");
  expect(report.mock.calls).toEqual([
    [{ reason: "failing" }, expect.stringMatching(/applications\.db\.worker: SQLite error 14/)],
  ]);
  rmdirSync(`${databaseFile}.worker`);
  expect(await acquireTestLease(store, "worker")).toBe("acquired");
});
