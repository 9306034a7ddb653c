import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import { openThreadedStore } from "#lib/storage/threaded-store.ts";
import { aNewApplication, TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

test("stores and reads through its thread, and another store sees it", async () => {
  await using temporary = temporaryStore();
  const threaded = openThreadedStore(temporary);
  const newApplications = Array.from({ length: 40 }, (_, index) =>
    aNewApplication({ idempotencyKey: `key-${index}` }),
  );
  const accepted = await Promise.all(newApplications.map(threaded.accept));
  expect(new Set(accepted.map(({ outcome }) => outcome))).toEqual(new Set(["stored"]));
  const [first] = await threaded.leaseDue({ now: TEST_NOW, leaseMs: 1_000, limit: 1 });
  expect(first).toMatchObject({ application: aNewApplication().application, suspicion: undefined });
  expect(await threaded.find("22222222")).toBeUndefined();
  await threaded.close();
  expect((await temporary.store.counts()).waiting).toBe(39);
});

test("tells what is wrong with the database, and what is wrong with a call", async () => {
  await using temporary = temporaryStore();
  writeFileSync(temporary.databaseFile, "not a database");
  const threaded = openThreadedStore(temporary);
  const fault = await threaded.counts().catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(StorageUnavailable);
  expect(fault).toMatchObject({
    reason: "corrupt",
    message: expect.stringContaining("applications.db"),
  });
  await threaded.close();

  await using healthy = temporaryStore();
  const misused = openThreadedStore(healthy);
  const limit = {} as number;
  await expect(misused.list({ limit })).rejects.toThrow(TypeError);
  await misused.close();
});

test("what waits for a thread that ends learns that the store is out, and the next thread serves", async () => {
  await using temporary = temporaryStore();
  const faulty = join(temporary.folder, "faulty-thread.ts");
  const thread = join(process.cwd(), "lib/storage/store-thread.ts");
  const died = join(temporary.folder, "died");
  writeFileSync(
    faulty,
    `import { existsSync, writeFileSync } from "node:fs";
     import { parentPort } from "node:worker_threads";
     if (existsSync(${JSON.stringify(died)})) await import(${JSON.stringify(thread)});
     else parentPort.on("message", () => { writeFileSync(${JSON.stringify(died)}, ""); throw new Error("out"); });`,
  );
  const threaded = openThreadedStore(temporary, faulty);
  const both = await Promise.allSettled([threaded.accept(aNewApplication()), threaded.counts()]);
  for (const each of both) {
    expect(each).toMatchObject({ status: "rejected", reason: { reason: "failing" } });
  }
  await expect
    .poll(() => threaded.accept(aNewApplication()).catch(() => undefined), { timeout: 5_000 })
    .toMatchObject({ outcome: "stored" });
  await threaded.close();
  await expect(threaded.counts()).rejects.toMatchObject({ reason: "closed" });
});
