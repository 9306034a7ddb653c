import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { LeasedDelivery } from "#lib/application/delivery.ts";
import type { MessageChannel } from "#lib/channels/channel.ts";
import { openFileChannel } from "#lib/channels/file.ts";
import { openMailChannel } from "#lib/channels/mail/smtp.ts";
import type { Channels } from "#lib/channels/open.ts";
import { openSmsChannel } from "#lib/channels/sms/twilio.ts";
import { AttemptJournal } from "#lib/delivery/attempt-journal.ts";
import { LAST_ATTEMPT } from "#lib/delivery/retry.ts";
import { type Pause, pauseFor } from "#lib/delivery/supervised-loop.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";
import { TrustedClock } from "#lib/trusted-clock.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TWILIO_ACCOUNT, TwilioPeer } from "#testing/peers/twilio-peer.ts";
import {
  aNewApplication,
  TEST_NOW,
  type TemporaryStore,
  temporaryStore,
} from "#testing/temporary-store.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let home: TemporaryStore;
let twilio: TwilioPeer;
let smtp: SmtpPeer;
let workers: DeliveryWorker[];
/** Where the clock of the test stands. */
let now: number;

beforeEach(async () => {
  home = temporaryStore();
  twilio = new TwilioPeer();
  smtp = new SmtpPeer();
  await Promise.all([twilio.start(), smtp.start()]);
  workers = [];
  now = TEST_NOW;
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await Promise.all([twilio.stop(), smtp.stop()]);
  await home[Symbol.asyncDispose]();
});

const folder = () => join(home.folder, "outbox");
const journalFile = () => join(home.folder, "attempts.journal");
const file = () =>
  openFileChannel({ folder: folder(), mail: { from: "a@localhost", to: ["b@localhost"] } });

const textsThrough = (apiUrl: string) =>
  openSmsChannel(
    { ...TWILIO_ACCOUNT, sender: { from: "+12025550100" }, to: ["+821099990000"], apiUrl },
    () => now,
  );

function allChannels(): Channels {
  return {
    file: file(),
    sms: textsThrough(twilio.url),
    mail: openMailChannel({
      smtpUrl: smtp.url,
      from: "site@practice.example",
      to: ["owner@practice.example"],
    }),
  };
}

/** Time that passes, and is not set. */
const steadyClock = () => new TrustedClock({ now: () => now, monotonic: () => now });

interface Changes {
  store?: DeliveryStore;
  clock?: TrustedClock;
  channels?: Channels;
  pause?: Pause;
}

/** A worker whose pauses end only by a wake or a stop, unless a test gives another pause. */
function work(changes: Changes = {}): DeliveryWorker {
  const worker = employ(changes);
  worker.start();
  return worker;
}

/** The same, before it starts. */
function employ(changes: Changes = {}): DeliveryWorker {
  const worker = new DeliveryWorker({
    store: home.store,
    channels: allChannels(),
    caps: { hourly: 30, daily: 100 },
    journal: new AttemptJournal(journalFile()),
    retention: { days: 90, folder: folder(), backups: join(folder(), "backups") },
    now: () => now,
    clock: steadyClock(),
    random: () => 0,
    pause: stillPause,
    ...changes,
  });
  workers.push(worker);
  return worker;
}

/** The grace of a stop, in which sends under way may finish. */
const STOP_GRACE_MS = 8_000;

/** No pause ends by itself, but the grace of a stop is over at once. */
const stillPause: Pause = (ms, signal) =>
  ms === STOP_GRACE_MS ? Promise.resolve() : untilAborted(ms, signal);

const untilAborted: Pause = (_ms, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

const never = () => new AbortController().signal;

/** Pauses that are over in a moment, and noted. */
function quickPauses() {
  const pauses: number[] = [];
  const pause: Pause = async (ms) => {
    pauses.push(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { pauses, pause };
}

/** Waits until the store counts what is expected. */
const expectCounts = (expected: object) =>
  expect.poll(() => home.store.counts(), { interval: 5, timeout: 5_000 }).toMatchObject(expected);

/** The next question about what Twilio took falls due, and is answered. */
async function followed(worker: DeliveryWorker, expected: object) {
  await expectCounts({ leased: 0, waiting: 0 });
  now += 5_000;
  worker.wake();
  await expectCounts(expected);
}

/** Waits until this many attempts at an SMS have been made and noted. */
async function smsAttempts(count: number) {
  await expect.poll(() => twilio.requests, { interval: 1 }).toBe(count);
  await expectCounts({ leased: 0 });
}

test("a mail that was taken is not sent again when the process dies before the store has it", async () => {
  const mail = openMailChannel({
    smtpUrl: smtp.url,
    from: "site@practice.example",
    to: ["owner@practice.example"],
  });
  await home.store.accept(aNewApplication({ channel: "mail" }));
  const dies = Promise.withResolvers<void>();
  const mark: DeliveryStore["mark"] = async (...attempt) => {
    await dies.promise;
    return home.store.mark(...attempt);
  };
  work({ store: { ...home.store, mark }, channels: { file: file(), mail } });
  await expect.poll(() => readFileSync(journalFile(), "utf8")).toMatch(/"delivered"/);
  expect(await home.store.counts()).toMatchObject({ leased: 1 });

  work({ channels: { file: file(), mail } });
  await expectCounts({ delivered: 1 });
  expect(smtp.mails).toHaveLength(1);
  await expect.poll(() => readFileSync(journalFile(), "utf8")).toBe("");
  dies.resolve();
});

test("a journal that was cut off, or cannot be written, stops nothing", async () => {
  writeFileSync(journalFile(), '{"deliveryId":1,"fen');
  await home.store.accept(aNewApplication());
  work({ channels: { file: file() } });
  await expectCounts({ filed: 1 });

  rmSync(journalFile());
  mkdirSync(journalFile());
  await home.store.accept(aNewApplication({ idempotencyKey: "another" }));
  work({ channels: { file: file() } });
  await expectCounts({ filed: 2 });
});

describe("each application reaches the owner", () => {
  test("by the channel of its form", async () => {
    await home.store.accept(aNewApplication());
    await home.store.accept(aNewApplication({ channel: "mail" }));
    await followed(work(), { waiting: 0, leased: 0, delivered: 2 });
    expect(twilio.messages).toHaveLength(1);
    expect(smtp.mails).toHaveLength(1);
  });

  test("as a file while no channel is configured", async () => {
    const sms = await home.store.accept(aNewApplication());
    await home.store.accept(aNewApplication({ channel: "mail" }));
    work({ channels: { file: file() } });
    await expectCounts({ filed: 2 });
    expect(
      readdirSync(folder())
        .map((name) => name.slice(-4))
        .toSorted(),
    ).toEqual([".eml", ".txt"]);
    expect(sms.outcome).toBe("stored");
  });

  test("at once when it comes in while the worker sleeps", async () => {
    const worker = work();
    await expect.poll(() => worker.status().lastTurnAt).toBe(TEST_NOW);
    await home.store.accept(aNewApplication());
    worker.wake();
    await expectCounts({ sent: 1 });
  });

  test("also when the last process died with it in hand", async () => {
    await home.store.accept(aNewApplication());
    // As long as the worker's own: one for longer would count as left by a clock that was set back.
    await home.store.leaseDue({ now, leaseMs: 2 * MINUTE, limit: 1 });
    work();
    await expectCounts({ sent: 1 });
  });

  test("only once, whatever wakes the worker meanwhile", async () => {
    await home.store.accept(aNewApplication());
    const worker = work();
    for (let times = 0; times < 20; times++) worker.wake();
    await expectCounts({ sent: 1 });
    expect(twilio.requests).toBe(1);
  });
});

describe("before the site takes requests", () => {
  /** A mail that the last process died with, and one that had not had its turn. */
  async function leftBehind() {
    await home.store.accept(aNewApplication({ channel: "mail" }));
    const [left] = await home.store.leaseDue({ now, leaseMs: 2 * MINUTE, limit: 1 });
    if (!left) throw new Error("nothing was due");
    const recipients = ["owner@practice.example"];
    await home.store.recordIntent(left, { transport: "mail", recipients, caps: undefined, now });
    await home.store.accept(aNewApplication({ channel: "mail", idempotencyKey: "another" }));
  }

  test("what the last process had in hand is out and noted, and nothing else", async () => {
    await leftBehind();
    await employ().resume();
    expect(smtp.mails).toHaveLength(1);
    expect(await home.store.counts()).toMatchObject({ delivered: 1, leased: 0, waiting: 1 });
  });

  test("it is waited for 3 seconds, and goes on meanwhile", async () => {
    await leftBehind();
    const answer = Promise.withResolvers<void>();
    const mail: MessageChannel = {
      recipients: ["owner@practice.example"],
      tryLimitMs: MINUTE,
      send: async () => {
        await answer.promise;
        return [{ outcome: "delivered", providerId: undefined }];
      },
      close: async () => undefined,
    };
    const over = Promise.withResolvers<void>();
    const worker = employ({
      channels: { file: file(), mail },
      pause: (ms, signal) => (ms === 3_000 ? over.promise : stillPause(ms, signal)),
    });
    let resumed = false;
    const resuming = worker.resume().then(() => {
      resumed = true;
    });
    await expectCounts({ leased: 1, waiting: 1 });
    expect(resumed).toBe(false);
    over.resolve();
    await resuming;
    worker.start();
    answer.resolve();
    await expectCounts({ delivered: 2 });
  });

  test("a stop while the store is asked waits for it, and leases nothing", async () => {
    await leftBehind();
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const releaseLeases: DeliveryStore["releaseLeases"] = async (...time) => {
      asked.resolve();
      await answer.promise;
      return home.store.releaseLeases(...time);
    };
    const leaseDue = vi.fn(home.store.leaseDue);
    const worker = employ({ store: { ...home.store, releaseLeases, leaseDue } });
    const resuming = worker.resume();
    await asked.promise;
    let hasStopped = false;
    const stopping = worker.stop().then(() => {
      hasStopped = true;
    });
    await pauseFor(20, never());
    expect(hasStopped).toBe(false);
    answer.resolve();
    await Promise.all([resuming, stopping]);
    expect(leaseDue).not.toHaveBeenCalled();
  });

  test("a store that is out holds up nothing, and is asked again", async () => {
    await leftBehind();
    let out = true;
    const releaseLeases: DeliveryStore["releaseLeases"] = async (...time) => {
      if (out) throw new StorageUnavailable("out", "failing");
      return home.store.releaseLeases(...time);
    };
    const worker = employ({ store: { ...home.store, releaseLeases } });
    await worker.resume();
    out = false;
    worker.start();
    await expectCounts({ delivered: 2 });
  });
});

test("an attempt is noted when it ends, also while the loop waits for the store", async () => {
  await home.store.accept(aNewApplication({ channel: "mail" }));
  let leased = false;
  const store: DeliveryStore = {
    ...home.store,
    // One lease gives the mail; the loop then hangs in the next one.
    leaseDue: async (options) => {
      if (leased) return released.promise;
      const due = await home.store.leaseDue(options);
      leased = due.length > 0;
      return due;
    },
  };
  const released = Promise.withResolvers<LeasedDelivery[]>();
  work({ store });
  await expectCounts({ delivered: 1 });
  released.resolve([]);
});

describe("what fails", () => {
  test("waits for its time, and is delivered then", async () => {
    smtp.next({ data: 451 });
    await home.store.accept(aNewApplication({ channel: "mail" }));
    const worker = work();
    await expectCounts({ waiting: 1, leased: 0 });
    await expect.poll(() => home.store.nextDueAt()).toBe(TEST_NOW + 5_000);

    now += 4_999;
    worker.wake();
    await expect.poll(() => worker.status().lastTurnAt).toBe(now);
    expect(smtp.attempts).toBe(1);

    now += 1;
    worker.wake();
    await expectCounts({ delivered: 1 });
  });

  test("with a 429 waits for the time that Twilio names", async () => {
    twilio.next({ status: 429, headers: { "retry-after": "600" } });
    await home.store.accept(aNewApplication());
    work();
    await smsAttempts(1);
    expect(await home.store.nextDueAt()).toBe(TEST_NOW + 600_000);
  });

  test("in one channel does not hold up the other", async () => {
    twilio.always({ hangs: true });
    await home.store.accept(aNewApplication());
    const worker = work();
    await expect.poll(() => twilio.requests).toBe(1);
    await home.store.accept(aNewApplication({ channel: "mail" }));
    worker.wake();
    await expectCounts({ leased: 1, delivered: 1 });
    expect(smtp.mails).toHaveLength(1);
  });

  test("for five days is kept for the owner, and not deleted", async () => {
    twilio.always({ status: 400, code: 21211 });
    await home.store.accept(aNewApplication());
    for (let attempt = 1; attempt <= LAST_ATTEMPT - 2; attempt++) {
      const [lease] = await home.store.leaseDue({ now, leaseMs: HOUR, limit: 1 });
      const failed = { state: "waiting", nextAttemptAt: now, error: "busy" } as const;
      if (lease) await home.store.mark(lease, failed, now);
    }
    const { file, sms } = allChannels();
    const worker = work({ channels: { file, ...(sms && { sms }) } });
    await smsAttempts(1);
    await expectCounts({ waiting: 1 });
    now += HOUR;
    worker.wake();
    await expectCounts({ needsOwner: 1, waiting: 0, leased: 0 });
    // Not by the requests: an alarm about it may be one of them already.
    expect(await home.store.list({})).toMatchObject([{ attempts: LAST_ATTEMPT }]);
    now += 400 * DAY;
    worker.wake();
    await expect.poll(() => worker.status().lastTurnAt).toBe(now);
    await expectCounts({ needsOwner: 1 });
  });

  test("to end at all is given up after a minute, and tried again", async () => {
    const limit = new AbortController();
    const limits = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
    const sending = Promise.withResolvers<void>();
    const endless: MessageChannel = {
      recipients: ["owner@practice.example"],
      tryLimitMs: MINUTE,
      async send(_message, _recipients, { signal }) {
        sending.resolve();
        await untilAborted(0, signal);
        return [{ outcome: "unknown", error: "silence", advice: "" }];
      },
      close: async () => {},
    };
    await home.store.accept(aNewApplication({ channel: "mail" }));
    work({ channels: { file: file(), mail: endless } });
    await sending.promise;
    expect(limits).toHaveBeenCalledExactlyOnceWith(MINUTE);
    limit.abort();
    await expectCounts({ waiting: 1, leased: 0 });
  });

  test("to end at all takes none of the other channel's time", async () => {
    const limits: AbortController[] = [];
    vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
      const limit = new AbortController();
      limits.push(limit);
      return limit.signal;
    });
    const silence = { error: "silence", advice: "" };
    const channel = { recipients: ["+821000000000"], tryLimitMs: MINUTE, close: async () => {} };
    const sending = Promise.withResolvers<void>();
    const endless: MessageChannel = {
      ...channel,
      async send(_message, _recipients, { signal }) {
        sending.resolve();
        await untilAborted(0, signal);
        return [{ outcome: "retry", ...silence }];
      },
    };
    const working: MessageChannel = {
      ...channel,
      async send(_message, _recipients, { signal }) {
        return [
          signal.aborted
            ? { outcome: "retry", ...silence }
            : { outcome: "delivered", providerId: undefined },
        ];
      },
    };
    await home.store.accept(aNewApplication({ channel: "mail" }));
    const [lease] = await home.store.leaseDue({ now, leaseMs: MINUTE, limit: 1 });
    if (!lease) throw new Error("nothing was due");
    const fault = { ...silence, refused: false, since: now - 15 * MINUTE };
    const waits = { state: "waiting", nextAttemptAt: now, error: "silence" } as const;
    await home.store.mark(lease, { ...waits, channels: [{ channel: "mail", fault }] }, now);

    work({ channels: { file: file(), mail: endless, sms: working } });
    await sending.promise;
    for (const limit of limits) limit.abort();
    await expectCounts({ delivered: 1 });
  });

  test("in the plan itself ends nothing: it is logged and tried again", async () => {
    const { file, mail } = allChannels();
    const faulty: MessageChannel = {
      get recipients(): string[] {
        throw new TypeError("홍길동");
      },
      tryLimitMs: MINUTE,
      send: async () => [],
      close: async () => {},
    };
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    await home.store.accept(aNewApplication());
    work({ channels: { file, ...(mail && { mail }), sms: faulty } });
    await expect.poll(() => home.store.nextDueAt()).toBe(TEST_NOW + 5_000);
    await expectCounts({ waiting: 1, leased: 0 });
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test("inside a channel is logged and tried again, and stops nothing else", async () => {
    const broken = {
      recipients: ["+821099990000"],
      tryLimitMs: MINUTE,
      send: () => Promise.reject(new TypeError("홍길동")),
      close: async () => {},
    };
    await home.store.accept(aNewApplication());
    await home.store.accept(aNewApplication({ channel: "mail" }));
    work({ channels: { ...allChannels(), sms: broken } });
    await expectCounts({ waiting: 1, delivered: 1 });
  });
});

describe("the clock", () => {
  test("set forward by a year sends what waits once, not more", async () => {
    twilio.next({ status: 429 });
    await home.store.accept(aNewApplication());
    const worker = work();
    await smsAttempts(1);
    now += 365 * DAY;
    worker.wake();
    await expectCounts({ sent: 1 });
    expect(twilio.messages).toHaveLength(1);
  });

  test("set back by a year does not strand what waits", async () => {
    twilio.next({ status: 429 });
    await home.store.accept(aNewApplication());
    const worker = work();
    await smsAttempts(1);
    now -= 365 * DAY;
    worker.wake();
    await expectCounts({ sent: 1 });
  });

  test.each([
    ["forward", HOUR],
    ["back", -HOUR],
  ])("set %s while a send is under way does not send it a second time", async (_way, jump) => {
    let sends = 0;
    const finish = Promise.withResolvers<void>();
    const slow: Channels = {
      file: {
        async write() {
          sends += 1;
          await finish.promise;
          return undefined;
        },
        writeSummary: async () => undefined,
      },
    };
    await home.store.accept(aNewApplication());
    const worker = work({ channels: slow });
    await expect.poll(() => sends).toBe(1);
    now += jump;
    worker.wake();
    await expect.poll(() => worker.status().lastTurnAt).toBe(now);
    finish.resolve();
    await expectCounts({ filed: 1 });
    expect(sends).toBe(1);
  });

  test("is looked at every 30 s at least, however far ahead the next delivery is", async () => {
    const { pauses, pause } = quickPauses();
    smtp.always({ data: 554 });
    twilio.always({ status: 400, code: 21211 });
    await home.store.accept(aNewApplication());
    work({ pause });
    await expect.poll(() => pauses.length).toBeGreaterThan(3);
    expect(Math.max(...pauses)).toBe(30_000);
  });
});

describe("a store that fails", () => {
  test("is asked again after a pause, without spinning, and deliveries go on when it is back", async () => {
    const { pauses, pause } = quickPauses();
    let down = true;
    const leaseDue: DeliveryStore["leaseDue"] = async (options) => {
      if (down && pauses.length === 4) down = false;
      if (down) throw new StorageUnavailable("The disk is full.", "full");
      return home.store.leaseDue(options);
    };
    await home.store.accept(aNewApplication());
    const worker = work({ pause, store: { ...home.store, leaseDue } });
    await expectCounts({ sent: 1 });
    expect(pauses.slice(0, 4)).toEqual([5_000, 5_000, 5_000, 5_000]);
    expect(worker.status().state).toBe("running");
  });

  test("after a send is told about it once it is back, and nothing is sent twice", async () => {
    const { pauses, pause } = quickPauses();
    const mark: DeliveryStore["mark"] = async (...note) => {
      if (pauses.length < 3) throw new StorageUnavailable("The disk is full.", "full");
      return home.store.mark(...note);
    };
    await home.store.accept(aNewApplication());
    work({ pause, store: { ...home.store, mark } });
    await expectCounts({ sent: 1 });
    expect(twilio.requests).toBe(1);
  });

  test("in a way that nobody foresaw has the loop restarted within 5 s, and says so meanwhile", async () => {
    const states: string[] = [];
    const pauses: number[] = [];
    let worker: DeliveryWorker | undefined;
    const pause: Pause = async (ms, signal) => {
      pauses.push(ms);
      states.push(worker?.status().state ?? "");
      if (pauses.length > 1) await untilAborted(ms, signal);
    };
    let broken = true;
    const leaseDue: DeliveryStore["leaseDue"] = async (options) => {
      if (!broken) return home.store.leaseDue(options);
      broken = false;
      throw new TypeError("a fault in the program");
    };
    await home.store.accept(aNewApplication());
    worker = work({ pause, store: { ...home.store, leaseDue } });
    await expectCounts({ sent: 1 });
    expect(pauses[0]).toBeLessThanOrEqual(5_000);
    expect(states[0]).toBe("restarting");
    expect(worker.status().state).toBe("running");
  });
});

describe("a stop", () => {
  test("waits for the send under way", async () => {
    await home.store.accept(aNewApplication());
    const sending = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const slow: Channels = {
      file: {
        async write() {
          sending.resolve();
          await finish.promise;
          return undefined;
        },
        writeSummary: async () => undefined,
      },
    };
    const worker = work({ channels: slow, pause: untilAborted });
    await sending.promise;
    const stopped = worker.stop().then(() => "stopped");
    // Long enough for a stop that does not wait.
    expect(await Promise.race([stopped, pauseFor(200, never()).then(() => "waits")])).toBe("waits");
    finish.resolve();
    await stopped;
    expect(await home.store.counts()).toMatchObject({ filed: 1 });
    expect(worker.status().state).toBe("stopped");
  });

  test("cuts off a send that hangs, and leaves its delivery due at once", async () => {
    twilio.always({ hangs: true });
    await home.store.accept(aNewApplication());
    const worker = work();
    await expect.poll(() => twilio.requests).toBe(1);
    await worker.stop();
    await expectCounts({ waiting: 1, leased: 0 });
    expect(await home.store.nextDueAt()).toBe(now);
  });

  test("leases no more of what is due", async () => {
    for (let count = 0; count < 3; count++) {
      await home.store.accept(aNewApplication({ idempotencyKey: `${count}` }));
    }
    let leases = 0;
    const stopped = Promise.withResolvers<void>();
    const leaseDue: DeliveryStore["leaseDue"] = async (options) => {
      leases += 1;
      stopped.resolve(worker.stop());
      return leases > 1 ? [] : home.store.leaseDue({ ...options, limit: 1 });
    };
    const worker = work({ store: { ...home.store, leaseDue } });
    await stopped.promise;
    expect(leases).toBe(1);
  });

  test("begins nothing new", async () => {
    const worker = work();
    await worker.stop();
    await home.store.accept(aNewApplication());
    worker.wake();
    expect(twilio.requests).toBe(0);
  });
});

describe("what is kept longer than allowed", () => {
  test("is deleted with its message file, by number in the log, and what waits stays", async () => {
    const info = vi.spyOn(log, "info");
    const acceptance = await home.store.accept(aNewApplication({ idempotencyKey: "k" }));
    const filing = work({ channels: { file: file() } });
    await expectCounts({ filed: 1 });
    await filing.stop();
    const [message = ""] = readdirSync(folder());
    utimesSync(join(folder(), message), TEST_NOW / 1_000, TEST_NOW / 1_000);
    const worker = work();
    await expectCounts({ sent: 1 });
    await followed(worker, { delivered: 1 });
    const delivered = now;

    now = delivered + 89 * DAY;
    worker.wake();
    await expect.poll(() => worker.status().lastTurnAt).toBe(now);
    await expectCounts({ delivered: 1 });
    expect(existsSync(join(folder(), message))).toBe(true);

    now = delivered + 91 * DAY;
    worker.wake();
    await expectCounts({ delivered: 0 });
    await expect.poll(() => existsSync(join(folder(), message))).toBe(false);
    await expect
      .poll(() => info.mock.calls.map(([fields]) => fields))
      .toContainEqual({
        applicationIds: [acceptance.outcome === "stored" && acceptance.applicationId],
        files: 1,
        days: 90,
      });
    // Its key has gone too.
    const anew = await home.store.accept(aNewApplication({ idempotencyKey: "k", now }));
    expect(anew.outcome).toBe("stored");
  });

  test("stays with its file when it was only filed: nobody has it yet", async () => {
    await home.store.accept(aNewApplication());
    const worker = work({ channels: { file: file() } });
    await expectCounts({ filed: 1 });
    const [message = ""] = readdirSync(folder());
    utimesSync(join(folder(), message), TEST_NOW / 1_000, TEST_NOW / 1_000);
    now += 365 * DAY;
    worker.wake();
    await expect.poll(() => worker.status().lastTurnAt).toBe(now);
    await worker.stop();
    await expectCounts({ filed: 1 });
    expect(readdirSync(folder())).toEqual([message]);
  });

  test.each([365 * DAY, -365 * DAY])(
    "stays when only the clock says so: a jump of %d ms deletes and doubles nothing",
    async (jump) => {
      let monotonic = 0;
      const clock = new TrustedClock({ now: () => now, monotonic: () => monotonic });
      await home.store.accept(aNewApplication({ idempotencyKey: "delivered" }));
      await followed(work({ clock }), { delivered: 1 });
      const sent = twilio.messages.length;
      await workers.at(-1)?.stop();
      await home.store.accept(aNewApplication({ idempotencyKey: "filed" }));
      const filing = work({ clock, channels: { file: file() } });
      await expectCounts({ delivered: 1, filed: 1 });
      await filing.stop();
      const [message = ""] = readdirSync(folder());
      const old = (TEST_NOW - 400 * DAY) / 1_000;
      utimesSync(join(folder(), message), old, old);

      now += jump;
      const worker = work({ clock, channels: { file: file() } });
      for (const hours of [1, 22]) {
        now += hours * HOUR;
        monotonic += hours * HOUR;
        worker.wake();
        await expect.poll(() => worker.status().lastTurnAt).toBe(now);
      }
      await worker.stop();
      await expectCounts({ delivered: 1, filed: 1 });
      expect(readdirSync(folder())).toEqual([message]);
      expect(twilio.messages).toHaveLength(sent);
      for (const idempotencyKey of ["delivered", "filed"]) {
        const again = await home.store.accept(aNewApplication({ idempotencyKey, now }));
        expect(again.outcome).toBe("replayed");
      }
    },
  );

  test.each([365 * DAY, -365 * DAY])(
    "stays while it waits, when the clock jumps by %d ms, and goes out once",
    async (jump) => {
      let monotonic = 0;
      const clock = new TrustedClock({ now: () => now, monotonic: () => monotonic });
      const runs = async (worker: DeliveryWorker, ms: number) => {
        now += ms;
        monotonic += ms;
        worker.wake();
        await expect.poll(() => worker.status().lastTurnAt).toBe(now);
      };
      const texts = { file: file(), sms: textsThrough(twilio.url) };
      await home.store.accept(aNewApplication({ idempotencyKey: "delivered" }));
      await followed(work({ clock, channels: texts }), { delivered: 1 });
      await workers.at(-1)?.stop();
      const nowhere = { file: file(), sms: textsThrough("http://127.0.0.1:1") };
      await home.store.accept(aNewApplication({ idempotencyKey: "waiting" }));
      const worker = work({ clock, channels: nowhere });
      await expectCounts({ delivered: 1, waiting: 1, leased: 0 });

      now += jump;
      for (const hours of [1, 22]) await runs(worker, hours * HOUR);
      await expectCounts({ delivered: 1, waiting: 1, leased: 0, needsOwner: 0 });
      await worker.stop();
      for (const idempotencyKey of ["delivered", "waiting"]) {
        const again = await home.store.accept(aNewApplication({ idempotencyKey, now }));
        expect(again.outcome).toBe("replayed");
      }

      const mended = work({ clock, channels: texts });
      await runs(mended, 30 * MINUTE);
      await followed(mended, { delivered: 2, waiting: 0 });
      expect(twilio.messages).toHaveLength(2);
    },
  );

  test.each([
    ["a restart", 0, 0],
    ["a restart, and not when the clock was set in between", 365 * DAY, 1],
  ])("is deleted when the clock was steady for a day, over %s", async (_what, jump, left) => {
    let monotonic = 0;
    const runs = async (worker: DeliveryWorker, ms: number) => {
      now += ms;
      monotonic += ms;
      worker.wake();
      await expect.poll(() => worker.status().lastTurnAt).toBe(now);
    };
    const watched = () => new TrustedClock({ now: () => now, monotonic: () => monotonic });
    const texts = { file: file(), sms: textsThrough(twilio.url) };
    await home.store.accept(aNewApplication());
    await followed(work({ channels: texts, clock: steadyClock() }), { delivered: 1 });
    await workers.at(-1)?.stop();
    now += 91 * DAY;
    const first = work({ channels: texts, clock: watched() });
    await runs(first, 13 * HOUR);
    await first.stop();
    monotonic = 0;
    now += jump;
    const second = work({ channels: texts, clock: watched() });
    // Its first turn, in which it learns of the first process, has ended when the second of these begins.
    for (const minutes of [5, 5]) await runs(second, minutes * MINUTE);
    await runs(second, 12 * HOUR);
    await second.stop();
    await expectCounts({ delivered: left });
  });

  test("but cannot be deleted from the folder does not stop deliveries", async () => {
    writeFileSync(folder(), "a file where the folder should be");
    await home.store.accept(aNewApplication());
    const { pause } = quickPauses();
    work({ pause });
    await expectCounts({ sent: 1 });
    rmSync(folder());
    mkdirSync(folder());
  });
});

test("the log says numbers, outcomes and durations, and nothing that the visitor wrote", async () => {
  const lines: unknown[] = [];
  for (const level of ["info", "warn", "error"] as const) {
    vi.spyOn(log, level).mockImplementation((...line: unknown[]) => void lines.push(line));
  }
  twilio.next({ status: 400, code: 21211 });
  await home.store.accept(aNewApplication());
  await home.store.accept(aNewApplication({ channel: "mail" }));
  smtp.next({});
  work();
  await expectCounts({ waiting: 0, leased: 0, delivered: 2 });
  await expect.poll(() => lines.length).toBeGreaterThanOrEqual(2);
  const logged = JSON.stringify(lines);
  expect(logged).toContain("21211");
  expect(logged).not.toMatch(/홍길동|1012345678|010-1234-5678|여성 강사/);
});
