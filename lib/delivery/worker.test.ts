import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import type { Sleep } from "#lib/delivery/deps.ts";
import { findFaults } from "#lib/delivery/faults.ts";
import { FAILOVER_AFTER, FIRST_PAUSES, GIVE_UP_DAYS, LATER_PAUSE } from "#lib/delivery/retry.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import { DEFAULT_CAPS, type EngineWithPeers, test } from "#testing/delivery/engine-with-peers.ts";
import { TEST_NOW } from "#testing/storage/temporary-store.ts";

test("an application that arrives while the worker sleeps goes out at once", async ({ engine }) => {
  await engine.startWorker();
  engine.worker.start();
  await expect.poll(() => engine.worker.lastPassAt).toBe(engine.now);
  await engine.apply();
  engine.worker.wake();
  await expect.poll(async () => (await engine.store.counts()).sent).toBe(1);
  expect(engine.twilio.requests).toBe(1);
});

test("a worker stands by while another one has the lease [11]", async ({ engine }) => {
  await engine.store.acquireLease({ holder: "another", hasChannel: true });
  await engine.startWorker();
  await engine.apply({ route: "mail" });
  expect(await engine.worker.runPass()).toBe(2 * SECOND);
  await engine.worker.idle();
  expect(engine.smtp.attempts).toBe(0);
  await engine.store.releaseLease("another");
  await engine.runUntilIdle();
  expect(engine.smtp.mails).toHaveLength(1);
});

test("only delivered or closed applications are deleted after their retention [44][53]", async ({
  engine,
}) => {
  const info = vi.spyOn(log, "info");
  const stored = await engine.deliverNew({ idempotencyKey: "k" });
  await engine.startWorker();
  await engine.runUntilIdle();
  await engine.advance(5 * SECOND);
  const fault = { error: "451", advice: "", about: "channel" } as const;
  await engine.startWorker({
    mail: { ...engine.openMail(), transmit: async () => ({ outcome: "not-sent", fault }) },
  });
  await engine.deliverNew({ route: "mail" });
  await engine.advanceInSteps(GIVE_UP_DAYS * DAY, LATER_PAUSE);
  await engine.expectCounts({ waiting: 1, givenUp: 0 });
  await engine.advanceInSteps((FIRST_PAUSES.length + 2) * LATER_PAUSE, LATER_PAUSE);
  await engine.startWorker({});
  await engine.deliverNew({ route: "mail" });
  writeFileSync(join(engine.messageFolder, "weekly-summary.eml"), "");
  for (const name of readdirSync(engine.messageFolder))
    utimesSync(join(engine.messageFolder, name), TEST_NOW / 1_000, TEST_NOW / 1_000);
  await engine.advanceInSteps((7 - GIVE_UP_DAYS) * DAY, DAY);
  expect((await engine.apply({ idempotencyKey: "k" })).outcome).toBe("replayed");
  await engine.advanceInSteps((89 - 7) * DAY, DAY);
  await engine.expectCounts({ done: 1, givenUp: 1, filed: 1 });
  expect(readdirSync(engine.messageFolder)).toHaveLength(3);
  await engine.advanceInSteps(2 * DAY, DAY);
  await engine.expectCounts({ done: 0 });
  await engine.advanceInSteps(365 * DAY, 5 * DAY);
  await engine.expectCounts({ givenUp: 1, filed: 1 });
  expect(readdirSync(engine.messageFolder)).toEqual([expect.stringMatching(/eml$/)]);
  const applicationIds = [stored.outcome === "stored" && stored.applicationId];
  const logged = info.mock.calls.map(([fields]) => fields);
  expect(logged).toContainEqual({ applicationIds, files: 2, days: 90 });
  expect((await engine.apply({ idempotencyKey: "k" })).outcome).toBe("stored");
});

test.for([
  ["a full disk", new StorageUnavailable("It is full.", "full"), true],
  ["an unexpected error", new TypeError("our own"), false],
] as const)(
  "a store that fails with %s is tried again every 4 s [25]",
  async ([, fault, isUp], { engine }) => {
    const seen: [number, boolean][] = [];
    const pause: Sleep = async (ms, signal) => {
      seen.push([ms, engine.worker.lastPassAt !== undefined]);
      if (seen.length > 4 && !signal.aborted)
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
    };
    const dueMessages: Store["dueMessages"] = async (options) => {
      if (seen.length < 4) throw fault;
      return engine.store.dueMessages(options);
    };
    await engine.startWorker({ sms: engine.openSms() }, DEFAULT_CAPS, {
      store: { ...engine.store, dueMessages },
      pause,
    });
    await engine.apply();
    engine.worker.start();
    await expect.poll(() => engine.twilio.messages.length).toBe(1);
    expect(seen.slice(0, 4)).toEqual(Array(4).fill([4_000, isUp]));
    expect(engine.worker.lastPassAt).toBe(engine.now);
  },
);

test.for([
  new StorageUnavailable("The disk is full.", "full"),
  Object.assign(new Error("internal error of a pooler"), { code: "XX000" }),
  new TypeError("our own"),
])("recording an answer is retried after %s [79]", async (fault, { engine }) => {
  let failures = 3;
  const pause = vi.fn<Sleep>(async () => undefined);
  const asHolder: Store["asHolder"] = async (holder, work) => {
    if (engine.smtp.mails.length > 0 && failures-- > 0) throw fault;
    return engine.store.asHolder(holder, work);
  };
  await engine.startWorker({ mail: engine.openMail() }, DEFAULT_CAPS, {
    store: { ...engine.store, asHolder },
    pause,
  });
  await engine.deliverNew({ route: "mail" });
  await engine.advance(HOUR);
  await engine.expectCounts({ done: 1 });
  expect(engine.smtp.mails).toHaveLength(1);
  expect(pause.mock.calls.slice(0, 3).map(([ms]) => ms)).toEqual([4_000, 4_000, 4_000]);
});

test("a worker sleeps until the next message is due, or for five seconds", async ({ engine }) => {
  engine.smtp.next({ sender: 451 });
  await engine.startWorker({ mail: engine.openMail() });
  expect(await engine.worker.runPass()).toBe(5 * SECOND);
  await engine.deliverNew({ route: "mail" });
  const due = (await engine.store.nextDueAt(engine.now)) ?? 0;
  engine.now = due - 2 * SECOND;
  expect(await engine.worker.runPass()).toBe(2 * SECOND);
  engine.now = due - 1;
  expect(await engine.worker.runPass()).toBe(20);
});

test("a retry that was planned before the clock was set back is due at once", async ({
  engine,
}) => {
  engine.smtp.next({ sender: 451 });
  await engine.startWorker({ mail: engine.openMail() });
  await engine.deliverNew({ route: "mail" });
  expect(engine.smtp.mails).toHaveLength(0);
  engine.now -= 30 * DAY;
  await engine.runUntilIdle();
  expect(engine.smtp.mails).toHaveLength(1);
});

test("a wake during a pass cancels the next sleep", async ({ engine }) => {
  const wasWoken: boolean[] = [];
  const pause: Sleep = async (_ms, signal) => {
    wasWoken.push(signal.aborted);
    if (wasWoken.length > 1 && !signal.aborted)
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  const nextDueAt: Store["nextDueAt"] = async (at) => {
    if (wasWoken.length === 0) engine.worker.wake();
    return engine.store.nextDueAt(at);
  };
  await engine.startWorker({ mail: engine.openMail() }, DEFAULT_CAPS, {
    store: { ...engine.store, nextDueAt },
    pause,
  });
  engine.worker.start();
  await expect.poll(() => wasWoken).toEqual([true, false]);
});

test("an exception in one channel delays no other channel [25]", async ({ engine }) => {
  const error = vi.spyOn(log, "error");
  const broken = { ...engine.openSms(), transmit: () => Promise.reject(new TypeError("홍길동")) };
  await engine.startWorker({ sms: broken, mail: engine.openMail() });
  await engine.apply();
  await engine.deliverNew({ route: "mail" });
  await engine.expectCounts({ waiting: 1, waitingForCap: 0, done: 1 });
  expect(error).toHaveBeenCalled();
});

async function beginMail(engine: EngineWithPeers, finalDot: () => Promise<unknown>): Promise<void> {
  engine.smtp.next({ slow: { finalDot } });
  await engine.apply({ route: "mail" });
  await engine.worker.runPass();
  await expect.poll(() => engine.smtp.mails.length).toBe(1);
}

test("a free slot takes the next message beside running ones", async ({ engine }) => {
  engine.smtp.always({ slow: { finalDot: () => new Promise(() => undefined) } });
  await engine.startWorker({ mail: engine.openMail() });
  const { slots } = engine.openMail();
  for (let running = 1; running < slots; running++) await engine.apply({ route: "mail" });
  await engine.worker.runPass();
  await engine.apply({ route: "mail" });
  await engine.worker.runPass();
  await expect.poll(() => engine.smtp.mails.length).toBe(slots);
  await engine.stopWorker();
});

test("a stop waits for the attempt under way [26]", async ({ engine }) => {
  await engine.startWorker({ mail: engine.openMail() }, DEFAULT_CAPS, {
    pause: (_ms, signal) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
  });
  const thinks = Promise.withResolvers<void>();
  await beginMail(engine, () => thinks.promise);
  const stopped = engine.worker.stop();
  thinks.resolve();
  await stopped;
  await engine.expectCounts({ done: 1 });
});

test.for([
  ["a stop", (engine: EngineWithPeers) => engine.stopWorker(), 0],
  ["its time limit", (_engine: EngineWithPeers, limit: AbortController) => limit.abort(), 1],
] as const)(
  "a hanging attempt that %s aborts has an unknown outcome [26]",
  async ([, abort, tries], { engine }) => {
    const limit = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
    await engine.startWorker({ mail: engine.openMail() });
    await beginMail(engine, () => new Promise(() => undefined));
    // A mail has no time limit of its own, but must not delay the failover.
    expect(timeout.mock.calls).toEqual([[FAILOVER_AFTER - MINUTE]]);
    await abort(engine, limit);
    await engine.worker.idle();
    const [application] = await engine.store.list({});
    const found = await engine.store.find(application?.applicationId ?? "");
    expect(found).toMatchObject({ state: "open", messages: [{ state: "unsure", tries }] });
    expect(
      await findFaults(engine.store, (name) => (name === "mail" ? [] : undefined)),
    ).toHaveLength(tries);
  },
);
