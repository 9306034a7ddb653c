import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import { CHANNEL_DEFINITIONS } from "#lib/channels/registry.ts";
import { RECORD_DAYS } from "#lib/content/on-device.ts";
import type { Sleep } from "#lib/delivery/deps.ts";
import { findFaults } from "#lib/delivery/faults.ts";
import { FAILOVER_AFTER, FIRST_PAUSES, GIVE_UP_DAYS, LATER_PAUSE } from "#lib/delivery/retry.ts";
import { LEASE_DURATION } from "#lib/delivery/worker.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import {
  advanceClock,
  advanceClockInSteps,
  DEFAULT_CAPS,
  deliverNew,
  expectApplicationCounts,
  messageFolder,
  now,
  openTestMail,
  openTestSms,
  runUntilIdle,
  setClock,
  smtp,
  startWorker,
  storeApplication,
  testDatabase,
  twilio,
  worker,
} from "#testing/delivery/engine-with-peers.ts";
import { TEST_NOW } from "#testing/storage/temporary-store.ts";

test("an application that arrives while the worker sleeps goes out at once", async () => {
  await startWorker();
  worker.start();
  await expect.poll(() => worker.lastPassAt).toBe(now);
  await storeApplication();
  worker.wake();
  await expect.poll(async () => (await testDatabase.store.counts(now)).sent).toBe(1);
  expect(twilio.requests).toBe(1);
});

test("another worker on the same host takes over right after a kill", async () => {
  const script = `
    import { openStore } from "${resolve("lib/storage/open.ts")}";
    const store = openStore({ databaseFile: ${JSON.stringify(testDatabase.databaseFile)} });
    console.info(await store.acquireLease({ holder: "killed", now: Date.now(), hasChannel: false, leaseMs: 20_000 }));
    // The store holds the lock only until it is collected as garbage.
    setInterval(() => store, 1_000);`;
  const killed = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  expect(String((await once(killed.stdout, "data"))[0])).toContain("acquired");
  await startWorker();
  await storeApplication({ route: "mail" });
  expect(await worker.runPass()).toBe(2 * SECOND);
  await worker.idle();
  expect(smtp.mails).toHaveLength(0);
  killed.kill("SIGKILL");
  await once(killed, "exit");
  await runUntilIdle();
  expect(smtp.mails).toHaveLength(1);
});

test("only delivered or closed applications are deleted after the retention time", async () => {
  const info = vi.spyOn(log, "info");
  const stored = await deliverNew({ idempotencyKey: "k" });
  await startWorker();
  await runUntilIdle();
  await advanceClock(5 * SECOND);
  const fault = { error: "451", advice: "", about: "channel" } as const;
  await startWorker({
    mail: { ...openTestMail(), transmit: async () => [{ outcome: "not-sent", fault }] },
  });
  await deliverNew({ route: "mail" });
  await advanceClockInSteps(GIVE_UP_DAYS * DAY, LATER_PAUSE);
  await expectApplicationCounts({ waiting: 1, givenUp: 0 });
  await advanceClockInSteps((FIRST_PAUSES.length + 2) * LATER_PAUSE, LATER_PAUSE);
  await startWorker({});
  await deliverNew({ route: "mail" });
  writeFileSync(join(messageFolder(), "weekly-summary.eml"), "");
  for (const name of readdirSync(messageFolder()))
    utimesSync(join(messageFolder(), name), TEST_NOW / 1_000, TEST_NOW / 1_000);
  await advanceClockInSteps((RECORD_DAYS - GIVE_UP_DAYS) * DAY, DAY);
  expect((await storeApplication({ idempotencyKey: "k" })).outcome).toBe("replayed");
  await advanceClockInSteps((89 - RECORD_DAYS) * DAY, DAY);
  await expectApplicationCounts({ done: 1, givenUp: 1, filed: 1 });
  expect(readdirSync(messageFolder())).toHaveLength(3);
  await advanceClockInSteps(2 * DAY, DAY);
  await expectApplicationCounts({ done: 0 });
  await advanceClockInSteps(365 * DAY, 5 * DAY);
  await expectApplicationCounts({ givenUp: 1, filed: 1 });
  expect(readdirSync(messageFolder())).toEqual([expect.stringMatching(/eml$/)]);
  const applicationIds = [stored.outcome === "stored" && stored.applicationId];
  const logged = info.mock.calls.map(([fields]) => fields);
  expect(logged).toContainEqual({ applicationIds, files: 2, days: 90 });
  expect((await storeApplication({ idempotencyKey: "k" })).outcome).toBe("stored");
});

test.each([
  ["a full disk", new StorageUnavailable("It is full.", "full"), true],
  ["an unexpected error", new TypeError("our own"), false],
])("a store that fails with %s is tried again every 4 s", async (_what, fault, isUp) => {
  const seen: [number, boolean][] = [];
  const pause: Sleep = async (ms, signal) => {
    seen.push([ms, worker.lastPassAt !== undefined]);
    if (seen.length > 4 && !signal.aborted)
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  const dueJobs: Store["dueJobs"] = async (options) => {
    if (seen.length < 4) throw fault;
    return testDatabase.store.dueJobs(options);
  };
  await startWorker({ sms: openTestSms() }, DEFAULT_CAPS, {
    store: { ...testDatabase.store, dueJobs },
    pause,
  });
  await storeApplication();
  worker.start();
  await expect.poll(() => twilio.messages.length).toBe(1);
  expect(seen.slice(0, 4)).toEqual(Array(4).fill([4_000, isUp]));
  expect(worker.lastPassAt).toBe(now);
});

test.each([
  new StorageUnavailable("The disk is full.", "full"),
  Object.assign(new Error("internal error of a pooler"), { code: "XX000" }),
  new TypeError("our own"),
])("recording an outcome is retried after %s", async (fault) => {
  let failures = 3;
  const pause = vi.fn<Sleep>(async () => undefined);
  const recordOutcomes: Store["recordOutcomes"] = async (...outcomes) => {
    if (failures-- > 0) throw fault;
    return testDatabase.store.recordOutcomes(...outcomes);
  };
  await startWorker({ mail: openTestMail() }, DEFAULT_CAPS, {
    store: { ...testDatabase.store, recordOutcomes },
    pause,
  });
  await deliverNew({ route: "mail" });
  await advanceClock(HOUR);
  await expectApplicationCounts({ done: 1 });
  expect(smtp.mails).toHaveLength(1);
  expect(pause.mock.calls.slice(0, 3).map(([ms]) => ms)).toEqual([4_000, 4_000, 4_000]);
});

test("a worker sleeps until the next job is due, or for a quarter of its lease", async () => {
  smtp.next({ sender: 451 });
  await startWorker({ mail: openTestMail() });
  expect(await worker.runPass()).toBe(5 * SECOND);
  expect(LEASE_DURATION).toBe(20 * SECOND);
  await deliverNew({ route: "mail" });
  const due = (await testDatabase.store.nextDueAt(now)) ?? 0;
  setClock(due - 2 * SECOND);
  expect(await worker.runPass()).toBe(2 * SECOND);
  setClock(due - 1);
  expect(await worker.runPass()).toBe(20);
});

test("a retry that was planned before the clock was set back is due at once", async () => {
  smtp.next({ sender: 451 });
  await startWorker({ mail: openTestMail() });
  await deliverNew({ route: "mail" });
  expect(smtp.mails).toHaveLength(0);
  setClock(now - 30 * DAY);
  await runUntilIdle();
  expect(smtp.mails).toHaveLength(1);
});

test("a wake during a pass cancels the next sleep", async () => {
  const wasWoken: boolean[] = [];
  const pause: Sleep = async (_ms, signal) => {
    wasWoken.push(signal.aborted);
    if (wasWoken.length > 1 && !signal.aborted)
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  const nextDueAt: Store["nextDueAt"] = async (at) => {
    if (wasWoken.length === 0) worker.wake();
    return testDatabase.store.nextDueAt(at);
  };
  await startWorker({ mail: openTestMail() }, DEFAULT_CAPS, {
    store: { ...testDatabase.store, nextDueAt },
    pause,
  });
  worker.start();
  await expect.poll(() => wasWoken).toEqual([true, false]);
});

test("an exception in one channel delays no other channel", async () => {
  const error = vi.spyOn(log, "error");
  const broken = { ...openTestSms(), transmit: () => Promise.reject(new TypeError("홍길동")) };
  await startWorker({ sms: broken, mail: openTestMail() });
  await storeApplication();
  await deliverNew({ route: "mail" });
  await expectApplicationCounts({ waiting: 1, waitingForCap: 0, done: 1 });
  expect(error).toHaveBeenCalled();
});

async function beginMail(finalDot: () => Promise<unknown>): Promise<void> {
  smtp.next({ slow: { finalDot } });
  await storeApplication({ route: "mail" });
  await worker.runPass();
  await expect.poll(() => smtp.mails.length).toBe(1);
}

test("a free slot takes the next job beside running jobs", async () => {
  smtp.always({ slow: { finalDot: () => new Promise(() => undefined) } });
  await startWorker({ mail: openTestMail() });
  for (let running = 1; running < CHANNEL_DEFINITIONS.mail.slots; running++)
    await storeApplication({ route: "mail" });
  await worker.runPass();
  await storeApplication({ route: "mail" });
  await worker.runPass();
  await expect.poll(() => smtp.mails.length).toBe(CHANNEL_DEFINITIONS.mail.slots);
  await worker.stop();
});

test("a stop waits for the attempt under way", async () => {
  await startWorker({ mail: openTestMail() }, DEFAULT_CAPS, {
    pause: (_ms, signal) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
  });
  const thinks = Promise.withResolvers<void>();
  await beginMail(() => thinks.promise);
  const stopped = worker.stop();
  thinks.resolve();
  await stopped;
  await expectApplicationCounts({ done: 1 });
});

test.each([
  ["a stop", () => worker.stop(), 0],
  ["its time limit", (limit: AbortController) => limit.abort(), 1],
])("a hanging attempt that %s aborts has an unknown outcome", async (_what, abort, tries) => {
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
  await startWorker({ mail: openTestMail() });
  await beginMail(() => new Promise(() => undefined));
  // A mail has no time limit of its own, but must not delay the failover.
  expect(timeout.mock.calls).toEqual([[FAILOVER_AFTER - MINUTE]]);
  await abort(limit);
  await worker.idle();
  const [application] = await testDatabase.store.list({});
  const found = await testDatabase.store.find(application?.applicationId ?? "");
  expect(found).toMatchObject({ state: "open", tries, attempts: [{ outcome: "unknown" }] });
  expect(
    await findFaults(testDatabase.store, (name) => (name === "mail" ? [] : undefined)),
  ).toHaveLength(tries);
});
