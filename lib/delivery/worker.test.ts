import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import type { Sleep } from "#lib/delivery/deps.ts";
import { listFaults } from "#lib/delivery/faults.ts";
import {
  FAILOVER_AFTER_MS,
  FIRST_PAUSES_MS,
  GIVE_UP_DAYS,
  LATER_PAUSE_MS,
} from "#lib/delivery/retry.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import { DEFAULT_CAPS, type DeliveryRig, test } from "#testing/delivery/rig.ts";
import { TEST_NOW } from "#testing/storage/temporary-store.ts";

test("an application that arrives while the worker sleeps goes out at once", async ({ rig }) => {
  await rig.restartWorker();
  rig.worker.start();
  await expect.poll(() => rig.worker.lastPassAt).toBe(rig.now);
  await rig.apply();
  rig.worker.wake();
  await expect.poll(async () => (await rig.store.countApplications()).sent).toBe(1);
  expect(rig.twilio.requests).toBe(1);
});

test("a worker stands by while another one has the lease [11]", async ({ rig }) => {
  await rig.store.acquireLease({ holder: "another", hasChannel: true });
  await rig.restartWorker();
  await rig.apply({ route: "mail" });
  expect(await rig.worker.runPass()).toBe(2 * SECOND);
  await rig.worker.waitUntilIdle();
  expect(rig.smtp.attempts).toBe(0);
  await rig.store.releaseLease("another");
  await rig.runUntilIdle();
  expect(rig.smtp.mails).toHaveLength(1);
});

test("a worker that stands by deletes the old backups of its host", async ({ rig }) => {
  await rig.store.acquireLease({ holder: "another", hasChannel: true });
  const backups = join(rig.database.folder, "backups");
  mkdirSync(backups);
  writeFileSync(join(backups, "applications-2026-01-01_000000.db"), "");
  for (let hours = 0; hours <= 24; hours++) {
    await rig.worker.runPass();
    await rig.worker.waitUntilIdle();
    rig.now += HOUR;
  }
  expect(readdirSync(backups)).toEqual([]);
});

test("retention deletes delivered applications, not given-up or filed ones [44][53]", async ({
  rig,
}) => {
  const info = vi.spyOn(log, "info");
  const stored = await rig.deliverNew({ idempotencyKey: "k" });
  await rig.restartWorker();
  await rig.runUntilIdle();
  await rig.advance(5 * SECOND);
  const fault = { error: "451", advice: "", about: "channel" } as const;
  await rig.restartWorker({
    mail: { ...rig.openMail(), transmit: async () => ({ outcome: "not-sent", fault }) },
  });
  await rig.deliverNew({ route: "mail" });
  await rig.advanceInSteps(GIVE_UP_DAYS * DAY, LATER_PAUSE_MS);
  await rig.expectCounts({ waiting: 1, givenUp: 0 });
  await rig.advanceInSteps((FIRST_PAUSES_MS.length + 2) * LATER_PAUSE_MS, LATER_PAUSE_MS);
  await rig.restartWorker({});
  await rig.deliverNew({ route: "mail" });
  writeFileSync(join(rig.messageFolder, "weekly-summary.eml"), "");
  for (const name of readdirSync(rig.messageFolder))
    utimesSync(join(rig.messageFolder, name), TEST_NOW / 1_000, TEST_NOW / 1_000);
  await rig.advanceInSteps((7 - GIVE_UP_DAYS) * DAY, DAY);
  expect((await rig.apply({ idempotencyKey: "k" })).outcome).toBe("replayed");
  await rig.advanceInSteps((89 - 7) * DAY, DAY);
  await rig.expectCounts({ done: 1, givenUp: 1, filed: 1 });
  expect(readdirSync(rig.messageFolder)).toHaveLength(3);
  await rig.advanceInSteps(2 * DAY, DAY);
  await rig.expectCounts({ done: 0 });
  await rig.advanceInSteps(365 * DAY, 5 * DAY);
  await rig.expectCounts({ givenUp: 1, filed: 1 });
  expect(readdirSync(rig.messageFolder)).toEqual([expect.stringMatching(/eml$/)]);
  const applicationIds = [stored.outcome === "stored" && stored.applicationId];
  const logged = info.mock.calls.map(([fields]) => fields);
  expect(logged).toContainEqual({ applicationIds, files: 2, days: 90 });
  expect((await rig.apply({ idempotencyKey: "k" })).outcome).toBe("stored");
});

test.for([
  ["a full disk", new StorageUnavailable("It is full.", "full"), true],
  ["an unexpected error", new TypeError("our own"), false],
] as const)(
  "a store that fails with %s is tried again every 4 s [25]",
  async ([, fault, isUp], { rig }) => {
    const seen: [number, boolean][] = [];
    const pause: Sleep = async (ms, signal) => {
      seen.push([ms, rig.worker.lastPassAt !== undefined]);
      if (seen.length > 4 && !signal.aborted)
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
    };
    const listDueMessages: Store["listDueMessages"] = async (options) => {
      if (seen.length < 4) throw fault;
      return rig.store.listDueMessages(options);
    };
    await rig.restartWorker({ sms: rig.openSms() }, DEFAULT_CAPS, {
      store: { ...rig.store, listDueMessages },
      pause,
    });
    await rig.apply();
    rig.worker.start();
    await expect.poll(() => rig.twilio.messages.length).toBe(1);
    expect(seen.slice(0, 4)).toEqual(Array(4).fill([4_000, isUp]));
    expect(rig.worker.lastPassAt).toBe(rig.now);
  },
);

test.for([
  new StorageUnavailable("The disk is full.", "full"),
  Object.assign(new Error("internal error of a pooler"), { code: "XX000" }),
  new TypeError("our own"),
])("recording an answer is retried after %s [79]", async (fault, { rig }) => {
  let failures = 3;
  const pause = vi.fn<Sleep>(async () => undefined);
  const asHolder: Store["asHolder"] = async (holder, work) => {
    if (rig.smtp.mails.length > 0 && failures-- > 0) throw fault;
    return rig.store.asHolder(holder, work);
  };
  await rig.restartWorker({ mail: rig.openMail() }, DEFAULT_CAPS, {
    store: { ...rig.store, asHolder },
    pause,
  });
  await rig.deliverNew({ route: "mail" });
  await rig.advance(HOUR);
  await rig.expectCounts({ done: 1 });
  expect(rig.smtp.mails).toHaveLength(1);
  expect(pause.mock.calls.slice(0, 3).map(([ms]) => ms)).toEqual([4_000, 4_000, 4_000]);
});

test("an application that the store cannot read is not read again at once", async ({ rig }) => {
  const pause = vi.fn<Sleep>(async () => undefined);
  const find: Store["find"] = async () => {
    throw new StorageUnavailable("permission denied for table applications", "read-only");
  };
  await rig.restartWorker({ sms: rig.openSms() }, DEFAULT_CAPS, {
    store: { ...rig.store, find },
    pause,
  });
  await rig.apply();
  await rig.worker.runPass();
  await rig.worker.waitUntilIdle();
  expect(pause.mock.calls.map(([ms]) => ms)).toEqual([4_000]);
});

test("a worker sleeps until the next message is due, or for five seconds", async ({ rig }) => {
  rig.smtp.next({ sender: 451 });
  await rig.restartWorker({ mail: rig.openMail() });
  expect(await rig.worker.runPass()).toBe(5 * SECOND);
  await rig.deliverNew({ route: "mail" });
  const due = (await rig.store.readNextDueTime(rig.now)) ?? 0;
  rig.now = due - 2 * SECOND;
  expect(await rig.worker.runPass()).toBe(2 * SECOND);
  rig.now = due - 1;
  expect(await rig.worker.runPass()).toBe(20);
});

test("a retry that was scheduled before the clock was set back is due at once", async ({ rig }) => {
  rig.smtp.next({ sender: 451 });
  await rig.restartWorker({ mail: rig.openMail() });
  await rig.deliverNew({ route: "mail" });
  expect(rig.smtp.mails).toHaveLength(0);
  rig.now -= 30 * DAY;
  await rig.runUntilIdle();
  expect(rig.smtp.mails).toHaveLength(1);
});

test("a wake during a pass cancels the next sleep", async ({ rig }) => {
  const wasWoken: boolean[] = [];
  const pause: Sleep = async (_ms, signal) => {
    wasWoken.push(signal.aborted);
    if (wasWoken.length > 1 && !signal.aborted)
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  const readNextDueTime: Store["readNextDueTime"] = async (at) => {
    if (wasWoken.length === 0) rig.worker.wake();
    return rig.store.readNextDueTime(at);
  };
  await rig.restartWorker({ mail: rig.openMail() }, DEFAULT_CAPS, {
    store: { ...rig.store, readNextDueTime },
    pause,
  });
  rig.worker.start();
  await expect.poll(() => wasWoken).toEqual([true, false]);
});

test("an exception in one channel delays no other channel [25]", async ({ rig }) => {
  const error = vi.spyOn(log, "error");
  const broken = { ...rig.openSms(), transmit: () => Promise.reject(new TypeError("홍길동")) };
  await rig.restartWorker({ sms: broken, mail: rig.openMail() });
  await rig.apply();
  await rig.deliverNew({ route: "mail" });
  await rig.expectCounts({ waiting: 1, waitingForCap: 0, done: 1 });
  expect(error).toHaveBeenCalled();
});

async function beginMail(rig: DeliveryRig, finalDot: () => Promise<unknown>): Promise<void> {
  rig.smtp.next({ slow: { finalDot } });
  await rig.apply({ route: "mail" });
  await rig.worker.runPass();
  await expect.poll(() => rig.smtp.mails.length).toBe(1);
}

test("a free slot takes the next message beside running ones", async ({ rig }) => {
  rig.smtp.always({ slow: { finalDot: () => new Promise(() => undefined) } });
  await rig.restartWorker({ mail: rig.openMail() });
  const { slots } = rig.openMail();
  for (let running = 1; running < slots; running++) await rig.apply({ route: "mail" });
  await rig.worker.runPass();
  await rig.apply({ route: "mail" });
  await rig.worker.runPass();
  await expect.poll(() => rig.smtp.mails.length).toBe(slots);
  await rig.stopWorker();
});

test("a stop waits for the attempt under way [26]", async ({ rig }) => {
  await rig.restartWorker({ mail: rig.openMail() }, DEFAULT_CAPS, {
    pause: (_ms, signal) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
  });
  const thinks = Promise.withResolvers<void>();
  await beginMail(rig, () => thinks.promise);
  const stopped = rig.worker.stop();
  thinks.resolve();
  await stopped;
  await rig.expectCounts({ done: 1 });
});

test.for([
  ["a stop", (rig: DeliveryRig) => rig.stopWorker(), 0],
  ["its time limit", (_engine: DeliveryRig, limit: AbortController) => limit.abort(), 1],
] as const)(
  "a hanging attempt that %s aborts has an unknown outcome [26]",
  async ([, abort, tries], { rig }) => {
    const limit = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
    await rig.restartWorker({ mail: rig.openMail() });
    await beginMail(rig, () => new Promise(() => undefined));
    // A mail has no time limit of its own, but must not delay the failover.
    expect(timeout.mock.calls).toEqual([[FAILOVER_AFTER_MS - MINUTE]]);
    await abort(rig, limit);
    await rig.worker.waitUntilIdle();
    const [application] = await rig.store.list({});
    const found = await rig.store.find(application?.applicationId ?? "");
    expect(found).toMatchObject({ state: "open", messages: [{ state: "unsure", tries }] });
    expect(await listFaults(rig.store, () => [])).toHaveLength(tries);
  },
);
