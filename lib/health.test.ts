import { expect, test } from "vitest";
import { healthOf, httpStatusOf } from "#lib/health.ts";
import type { WorkerStatus } from "#lib/process-globals.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { UpkeepStore } from "#lib/storage/store.ts";
import { aNewApplication, TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

const nothingSet = { sms: undefined, mail: undefined };
const workerIn = (state: WorkerStatus["state"], lastTurnAt = TEST_NOW) => ({
  status: () => ({ state, lastTurnAt }),
});

async function look(
  store: UpkeepStore,
  {
    worker = workerIn("running"),
    now = TEST_NOW,
  }: { worker?: ReturnType<typeof workerIn> | undefined; now?: number } = {},
) {
  const health = await healthOf({ store, config: nothingSet, worker, now: () => now });
  return { health, status: httpStatusOf(health) };
}

test("all is well: 200, with what waits and no personal data", async () => {
  await using temporary = temporaryStore();
  await temporary.store.accept(aNewApplication());
  const { health, status } = await look(temporary.store, { now: TEST_NOW + 2_500 });
  expect(status).toBe(200);
  expect(health).toEqual({
    status: "ok",
    problems: [],
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    storage: { ok: true },
    worker: { state: "running" },
    channels: { sms: "file", mail: "file" },
    failing: [],
    deliveries: { waiting: 1, leased: 0, sent: 0, filed: 0, delivered: 0, needsOwner: 0 },
    oldestWaitingSeconds: 3,
  });
  expect(JSON.stringify(health)).not.toContain("홍길동");
});

test("a store that is out is down: 503 and the sentence that says what to do", async () => {
  const fault = new StorageUnavailable(
    "The database has no room left on its disk: free some space.",
    "full",
  );
  const store = new Proxy<UpkeepStore>(Object.create(null), {
    get: () => () => Promise.reject(fault),
  });
  const { health, status } = await look(store);
  expect(status).toBe(503);
  expect(health).toMatchObject({
    status: "down",
    storage: { ok: false, reason: "full" },
    problems: [fault.message],
  });
  expect(health).not.toHaveProperty("deliveries");
});

test("a store that can be read but not written is down too", async () => {
  await using temporary = temporaryStore();
  const fault = new StorageUnavailable("The database cannot be written.", "read-only");
  const { health, status } = await look({
    ...temporary.store,
    probeWrite: () => Promise.reject(fault),
  });
  expect(status).toBe(503);
  expect(health).toMatchObject({ status: "down", problems: [fault.message] });
});

test("a process without a worker says that nothing is being delivered: 503", async () => {
  await using temporary = temporaryStore();
  const health = await healthOf({
    store: temporary.store,
    config: nothingSet,
    worker: undefined,
    now: () => TEST_NOW,
  });
  expect(httpStatusOf(health)).toBe(503);
  expect(health).toMatchObject({ status: "degraded", worker: { state: "absent" } });
  expect(health.problems[0]).toContain("nothing is being delivered");
});

test.each([
  ["restarting", workerIn("restarting"), "restarting"],
  ["stopped", workerIn("stopped"), "stopped"],
  ["running but standing still", workerIn("running", TEST_NOW - 6 * 60_000), "stalled"],
])("a worker that is %s: 503", async (_what, worker, state) => {
  await using temporary = temporaryStore();
  const { health, status } = await look(temporary.store, { worker });
  expect(status).toBe(503);
  expect(health).toMatchObject({ status: "degraded", worker: { state } });
  expect(health.problems).toHaveLength(1);
});

test("an application that waits for over half an hour is told, with 200", async () => {
  await using temporary = temporaryStore();
  await temporary.store.accept(aNewApplication());
  const now = TEST_NOW + 31 * 60_000;
  const { health, status } = await look(temporary.store, { now, worker: workerIn("running", now) });
  expect(status).toBe(200);
  expect(health).toMatchObject({ status: "degraded", oldestWaitingSeconds: 31 * 60 });
});

test("an application that was given up is told until somebody has seen to it", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  await store.accept(aNewApplication());
  const [delivery] = await store.leaseDue({ now: TEST_NOW, leaseMs: 1_000, limit: 1 });
  if (delivery) await store.mark(delivery, { state: "needs-owner", error: "dead" }, TEST_NOW);
  const { health } = await look(store);
  expect(health).toMatchObject({ status: "degraded", deliveries: { needsOwner: 1 } });
});

test("what is noted of the clock, of backups and of files is told; a backup that failed until one succeeds", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  await store.accept(aNewApplication());
  const [delivery] = await store.leaseDue({ now: TEST_NOW, leaseMs: 1_000, limit: 1 });
  if (delivery) await store.mark(delivery, { state: "filed", transport: "file" }, TEST_NOW);
  await store.writeNote("clock-jump", { at: TEST_NOW, value: "-7200000" });
  await store.writeNote("backup", { at: TEST_NOW - 1_000, value: "a.db" });
  await store.writeNote("backup-failure", { at: TEST_NOW, value: "the disk is full" });
  const time = "2026-12-01T09:30:00.000+09:00";
  expect((await look(store)).health).toMatchObject({
    status: "degraded",
    filedSince: time,
    clockJump: { at: time, minutes: -120 },
    backup: { at: "2026-12-01T09:29:59.000+09:00", failure: { at: time, why: "the disk is full" } },
  });
  await store.writeNote("backup", { at: TEST_NOW + 1_000, value: "b.db" });
  const { health } = await look(store);
  expect(health.status).toBe("ok");
  expect(health.backup).toEqual({ at: "2026-12-01T09:30:01.000+09:00" });
});
