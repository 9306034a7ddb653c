/** The engine as a whole: a real store, a Twilio and a mail server that misbehave, and a clock that tests move. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { NewApplication } from "#lib/application/stored-application.ts";
import { openFileChannel } from "#lib/channels/file.ts";
import { openMailChannel } from "#lib/channels/mail/smtp.ts";
import type { Channels } from "#lib/channels/open.ts";
import { openSmsChannel } from "#lib/channels/sms/twilio.ts";
import { raiseAlarms } from "#lib/delivery/alarms.ts";
import { AttemptJournal } from "#lib/delivery/attempt-journal.ts";
import { PLACES } from "#lib/delivery/in-flight.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import { healthOf } from "#lib/health.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TWILIO_ACCOUNT, TwilioPeer } from "#testing/peers/twilio-peer.ts";
import {
  aNewApplication,
  anApplication,
  postgresUrl,
  TEST_NOW,
  type TemporaryStore,
  temporaryStore,
} from "#testing/temporary-store.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OWNER = "+821099990000";
const OWNER_MAIL = "owner@practice.example";
const DEFAULT_CAPS = { hourly: 30, daily: 100 };
const SECOND_MAIL = "second@practice.example";

let home: TemporaryStore;
let twilio: TwilioPeer;
let smtp: SmtpPeer;
let worker: DeliveryWorker | undefined;
/** Whether the worker has ended a turn, and been woken for no other. */
let asleep = false;
/** Calls of the store and sends by the workers that have not ended; an alarm goes out beside the turns. */
let underWay = 0;
let now: number;

beforeEach(async () => {
  home = temporaryStore();
  twilio = new TwilioPeer();
  smtp = new SmtpPeer();
  await Promise.all([twilio.start(), smtp.start()]);
  now = TEST_NOW;
});
afterEach(async () => {
  await worker?.stop();
  await Promise.all([twilio.stop(), smtp.stop()]);
  await home[Symbol.asyncDispose]();
});

const counted =
  <Parameters extends unknown[], Result>(call: (...parameters: Parameters) => Promise<Result>) =>
  async (...parameters: Parameters): Promise<Result> => {
    underWay += 1;
    return call(...parameters).finally(() => {
      underWay -= 1;
    });
  };
const sms = (to = [OWNER]) => {
  const account = { ...TWILIO_ACCOUNT, sender: { from: "+12025550100" }, to, apiUrl: twilio.url };
  const channel = openSmsChannel(account, () => now);
  return { ...channel, send: counted(channel.send) };
};
const mail = (to = [OWNER_MAIL]) => {
  const channel = openMailChannel({ smtpUrl: smtp.url, from: "site@practice.example", to });
  return { ...channel, send: counted(channel.send) };
};
const file = () =>
  openFileChannel({
    folder: join(home.folder, "outbox"),
    mail: { from: "site@localhost", to: ["owner@localhost"] },
  });

/** A worker whose pauses end only by a wake; a new one takes over from the last, as after a restart. */
async function start(
  channels: Partial<Channels> = { sms: sms(), mail: mail() },
  caps = DEFAULT_CAPS,
  store = home.store,
): Promise<void> {
  await worker?.stop();
  worker = new DeliveryWorker({
    store: new Proxy(store, { get: (calls, name) => counted(Reflect.get(calls, name)) }),
    channels: { file: file(), ...channels },
    caps,
    journal: new AttemptJournal(join(home.folder, "attempts.journal")),
    retention: {
      days: 90,
      folder: join(home.folder, "outbox"),
      backups: join(home.folder, "backups"),
    },
    now: () => now,
    random: () => 0,
    pause: (ms, signal) =>
      new Promise((resolve) => {
        // The grace of a stop is over at once.
        if (ms === 8_000 || signal.aborted) return resolve();
        asleep = true;
        const wakes = () => {
          asleep = false;
          resolve();
        };
        signal.addEventListener("abort", wakes, { once: true });
      }),
  });
  worker.start();
}

/** Goes on without a worker; the one that was there goes on by itself. */
function release(): DeliveryWorker | undefined {
  const released = worker;
  worker = undefined;
  return released;
}

const apply = (changes: Partial<NewApplication> = {}) =>
  home.store.accept(aNewApplication({ now, idempotencyKey: crypto.randomUUID(), ...changes }));

/** Time passes, and the worker does all that has fallen due. */
async function pass(ms: number): Promise<void> {
  now += ms;
  await settle();
}

/** Until nothing is under way and nothing is due. */
async function settle(): Promise<void> {
  asleep = false;
  worker?.wake();
  await expect
    .poll(
      async () => {
        if (!asleep || underWay > 0) return false;
        const due = await home.store.nextDueAt();
        const { leased } = await home.store.counts();
        return leased === 0 && (due === undefined || due > now);
      },
      { interval: 1, timeout: 10_000 },
    )
    .toBe(true);
}

/** Mail does not work as of now, as some other attempt has noted. */
async function noteMailFault(): Promise<void> {
  await apply({ channel: "mail" });
  const [lease] = await home.store.leaseDue({ now, leaseMs: MINUTE, limit: 1 });
  if (!lease) throw new Error("nothing was due");
  const fault = { error: "silence", advice: "", refused: false };
  const waits = { state: "waiting", nextAttemptAt: now + DAY, error: "silence" } as const;
  await home.store.mark(lease, { ...waits, channels: [{ channel: "mail", fault }] }, now);
}

const expectCounts = (expected: object) =>
  expect.poll(() => home.store.counts(), { interval: 5, timeout: 5_000 }).toMatchObject(expected);
const subjects = () => smtp.mails.map(({ parsed }) => parsed.subject ?? "");
const applicationsMailed = () => subjects().filter((subject) => !subject.includes("확인 필요"));
const applicationsTexted = () =>
  twilio.messages
    .filter(({ body }) => body.startsWith("운전연수 신청"))
    .map(({ body }) => body.slice(-9).replace("-", ""));
const alarmsMailed = () => smtp.mails.filter(({ parsed }) => parsed.subject?.includes("확인 필요"));

describe("a message that Twilio may have or not", () => {
  const kinds = [
    ["a 500 that stored it", { status: 500, stores: true }, 1],
    ["a 500 that did not", { status: 500 }, 2],
    ["a reset that stored it", { resets: true, stores: true }, 1],
    ["a reset that did not", { resets: true }, 2],
    ["a 2xx that cannot be read", { text: "<html>", stores: true }, 1],
  ] as const;

  test.each(kinds)(
    "%s: is looked for, and there once in the end",
    async (_name, fault, requests) => {
      twilio.next(fault);
      await apply();
      await start();
      await settle();
      await expectCounts({ waiting: 1, sent: 0 });
      expect(twilio.looks).toBe(0);
      await pass(9 * SECOND);
      // The list may lag behind what Twilio took.
      expect(twilio.looks).toBe(0);
      await pass(MINUTE);
      await expectCounts({ waiting: 0, needsOwner: 0 });
      expect(twilio.looks).toBeGreaterThan(0);
      expect(twilio.requests).toBe(requests);
      expect(twilio.messages).toHaveLength(1);
      expect(applicationsMailed()).toEqual([]);
    },
  );

  test.each([
    ["stored it", true, 1],
    ["did not", false, 2],
  ])(
    "a silence of Twilio's that %s: is given up, looked for, and there once in the end",
    async (_name, stores, requests) => {
      const limit = new AbortController();
      const original = AbortSignal.timeout;
      // The time limit of a request runs out when the test says so; that of the attempt is longer.
      const limits = vi
        .spyOn(AbortSignal, "timeout")
        .mockImplementation((ms) => (ms < MINUTE ? limit.signal : original(ms)));
      twilio.next({ hangs: true, stores });
      await apply();
      await start();
      await expect.poll(() => twilio.requests).toBe(1);
      limit.abort();
      limits.mockRestore();
      await settle();
      await expectCounts({ waiting: 1, sent: 0 });
      await pass(MINUTE);
      await pass(MINUTE);
      await expectCounts({ waiting: 0, needsOwner: 0 });
      expect(twilio.requests).toBe(requests);
      expect(twilio.messages).toHaveLength(1);
      expect(applicationsMailed()).toEqual([]);
    },
  );

  test("is not sent blindly while Twilio cannot be asked, and goes to mail after 15 minutes", async () => {
    twilio.next({ status: 500, stores: true });
    twilio.asked = { status: 503 };
    await apply();
    await start();
    for (let minutes = 0; minutes < 14; minutes++) await pass(MINUTE);
    expect(twilio.requests).toBe(1);
    expect(applicationsMailed()).toEqual([]);
    await pass(2 * MINUTE);
    expect(twilio.requests).toBe(1);
    expect(applicationsMailed()).toEqual([expect.stringMatching(/^\[문자 대신\] /)]);
    await expectCounts({ delivered: 1 });
  });

  test("also when the process died between the send and its note (row 10)", async () => {
    await apply();
    const [lease] = await home.store.leaseDue({ now, leaseMs: MINUTE, limit: 1 });
    if (!lease) throw new Error("nothing was due");
    const beginning = { transport: "sms", recipients: [OWNER], caps: undefined, now } as const;
    expect(await home.store.recordIntent(lease, beginning)).toEqual({ outcome: "recorded" });
    const message = { kind: "application", application: lease } as const;
    await sms().send(message, [OWNER], { signal: new AbortController().signal });
    await start();
    await settle();
    await pass(10 * SECOND);
    await expectCounts({ waiting: 0, leased: 0, delivered: 1 });
    expect(twilio.messages).toHaveLength(1);
  });
});

describe("a message that Twilio took", () => {
  test.each(["undelivered", "failed"])(
    "and then calls %s goes out by mail (row 16)",
    async (status) => {
      await apply();
      await start();
      await settle();
      await expectCounts({ sent: 1 });
      twilio.becomes = { status, code: 30003 };
      await pass(5 * SECOND);
      await expectCounts({ delivered: 1 });
      expect(applicationsMailed()).toEqual([expect.stringMatching(/^\[문자 대신\] /)]);
      expect(twilio.messages).toHaveLength(1);
    },
  );

  test("and calls sent for ever is settled after 30 minutes, not before (row 17)", async () => {
    twilio.becomes = { status: "sent" };
    await apply();
    await start();
    await settle();
    for (let minutes = 0; minutes < 29; minutes++) await pass(MINUTE);
    await expectCounts({ sent: 1 });
    await pass(MINUTE);
    await expectCounts({ delivered: 1 });
    expect(smtp.mails).toHaveLength(0);
  });

  test("and keeps for 30 minutes goes out by mail", async () => {
    twilio.becomes = { status: "queued" };
    await apply();
    await start();
    await settle();
    await pass(31 * MINUTE);
    await expectCounts({ delivered: 1 });
    expect(applicationsMailed()).toHaveLength(1);
    expect(twilio.messages).toHaveLength(1);
  });
});

describe("several numbers and addresses of the owner's", () => {
  test("the number that took it is not texted again, the other's goes out by mail", async () => {
    await start({ sms: sms([OWNER, "12"]), mail: mail() });
    await apply();
    await settle();
    await pass(MINUTE);
    expect(twilio.messages.map(({ to }) => to)).toEqual([OWNER]);
    expect(applicationsMailed()).toHaveLength(1);
    await expectCounts({ delivered: 1 });
  });

  test("without mail the number that took it is enough, and is texted once", async () => {
    await start({ sms: sms([OWNER, "12"]) });
    await apply();
    await settle();
    await pass(HOUR);
    expect(applicationsTexted()).toHaveLength(1);
    // The other number is told that this one does not work.
    const told = () => twilio.messages.filter(({ body }) => body.includes("전달되지 않습니다"));
    expect(told()).toMatchObject([{ to: OWNER }]);
    await expectCounts({ delivered: 1 });
  });

  test("a number that may have it is looked for by itself, the other is left alone", async () => {
    twilio.next({}, { status: 500, stores: true });
    await start({ sms: sms([OWNER, "+821099990001"]), mail: mail() });
    await apply();
    await settle();
    await pass(MINUTE);
    await pass(MINUTE);
    expect(twilio.messages).toHaveLength(2);
    expect(new Set(twilio.messages.map(({ to }) => to)).size).toBe(2);
    await expectCounts({ delivered: 1 });
  });

  test("one of two addresses refused: the other has its mail, the SMS stands in (row 19)", async () => {
    smtp.always({ recipients: { [SECOND_MAIL]: 550 } });
    await start({ sms: sms(), mail: mail([OWNER_MAIL, SECOND_MAIL]) });
    await apply({ channel: "mail" });
    await settle();
    await pass(MINUTE);
    expect(smtp.mails.map(({ envelopeTo }) => envelopeTo)).toEqual([[OWNER_MAIL]]);
    expect(twilio.messages.filter(({ body }) => body.includes("(메일 대신)"))).toHaveLength(1);
    await expectCounts({ delivered: 1 });
  });

  test("one of two addresses greylisted gets its mail later, the other none a second time (row 18)", async () => {
    smtp.next({ recipients: { [SECOND_MAIL]: 451 } });
    await start({ sms: sms(), mail: mail([OWNER_MAIL, SECOND_MAIL]) });
    await apply({ channel: "mail" });
    await settle();
    await pass(5 * SECOND);
    expect(smtp.mails.map(({ envelopeTo }) => envelopeTo)).toEqual([[OWNER_MAIL], [SECOND_MAIL]]);
    expect(twilio.messages).toHaveLength(0);
    await expectCounts({ delivered: 1 });
  });
});

describe("a mail that may have gone out", () => {
  test("is repeated once, after 15 minutes, with its Message-ID (row 20)", async () => {
    smtp.next({ dropsAfterData: true });
    await start();
    await apply({ channel: "mail" });
    await settle();
    for (let minutes = 0; minutes < 14; minutes++) await pass(MINUTE);
    expect(smtp.mails).toHaveLength(1);
    await pass(MINUTE);
    await expectCounts({ delivered: 1 });
    expect(smtp.mails).toHaveLength(2);
    expect(new Set(smtp.mails.map(({ parsed }) => parsed.messageId)).size).toBe(1);
    expect(applicationsTexted()).toEqual([]);
  });

  test("twice goes out by SMS, and never a third time by mail (row 46)", async () => {
    smtp.always({ dropsAfterData: true });
    await start();
    await apply({ channel: "mail" });
    for (let minutes = 0; minutes < 60; minutes++) await pass(MINUTE);
    expect(applicationsMailed()).toHaveLength(2);
    expect(applicationsTexted()).toHaveLength(1);
    await expectCounts({ delivered: 1, needsOwner: 0 });
  });

  test("twice, without SMS, is the owner's to look for, and the alarm says why (row 46)", async () => {
    smtp.next({ dropsAfterData: true }, { dropsAfterData: true });
    await start({ mail: mail() });
    await apply({ channel: "mail" });
    for (let minutes = 0; minutes < 40; minutes++) await pass(MINUTE);
    await expectCounts({ needsOwner: 1, waiting: 0 });
    expect(applicationsMailed()).toHaveLength(2);
    expect(alarmsMailed()).toHaveLength(1);
    expect(alarmsMailed()[0]?.parsed.text).toContain("두 번 모두 받았다는 답을 하지 않아");
    await pass(7 * DAY);
    expect(applicationsMailed()).toHaveLength(2);
    expect(alarmsMailed()).toHaveLength(1);
  });

  test("is not repeated by a third process after two that were killed (row 46)", async () => {
    const stored = await apply({ channel: "mail" });
    for (const outcome of ["recorded", "recorded", "spent"]) {
      // A process that was killed: it had a lease, and noted that a mail is about to leave.
      const [lease] = await home.store.leaseDue({ now, leaseMs: 2 * MINUTE, limit: 1 });
      if (!lease) throw new Error("nothing was due");
      const mail = { transport: "mail", recipients: [OWNER_MAIL], caps: undefined, now } as const;
      const recorded = await home.store.recordIntent(lease, mail);
      expect(recorded.outcome).toBe(outcome);
      expect(await home.store.releaseLeases(now)).toHaveLength(1);
      now += MINUTE;
    }
    expect(stored.outcome).toBe("stored");
    await start();
    await settle();
    await expectCounts({ sent: 1 });
    expect(smtp.mails).toHaveLength(0);
    expect(applicationsTexted()).toHaveLength(1);
  });

  test("is there twice at most, whichever of several servers has it (row 46)", async () => {
    smtp.always({ dropsAfterData: true });
    await start();
    await apply({ channel: "mail" });
    await settle();
    const first = release();
    const second = home.another();
    await start({ sms: sms(), mail: mail() }, DEFAULT_CAPS, second);
    for (let minutes = 0; minutes < 40; minutes += 5) {
      now += 5 * MINUTE;
      first?.wake();
      await settle();
    }
    await first?.stop();
    expect(applicationsMailed()).toHaveLength(2);
    await release()?.stop();
    await second.close();
  });

  test("in a digest keeps its 15 minutes and its two copies (row 46)", async () => {
    smtp.always({ dropsAfterData: true });
    await start({ sms: sms(), mail: mail() }, { hourly: 2, daily: 100 });
    for (let count = 0; count < 4; count++) await apply();
    // An alarm is one of the text messages.
    for (let minutes = 0; minutes < 150; minutes += 5) await pass(5 * MINUTE);
    const digests = subjects().filter((subject) => subject.includes("신청 2건"));
    expect(digests).toHaveLength(2);
    expect(applicationsMailed()).toHaveLength(2);
    expect(applicationsTexted()).toHaveLength(4);
    await expectCounts({ waiting: 0, needsOwner: 0 });
  });
});

describe("a slow mail server", () => {
  test("that thinks at the final dot gets each mail once, however many wait (row 46)", async () => {
    const thinks = Promise.withResolvers<void>();
    smtp.always({ slow: { finalDot: thinks.promise } });
    // Without SMS: every place of this worker is taken meanwhile.
    await start({ mail: mail() });
    for (let count = 0; count < 20; count++) await apply({ channel: "mail" });
    worker?.wake();
    await expect.poll(() => smtp.mails.length).toBe(PLACES.mail);
    // Longer than a lease: it is renewed as long as the conversation lasts.
    for (let minutes = 0; minutes < 9; minutes++) {
      now += MINUTE;
      worker?.wake();
      await expect.poll(() => worker?.status().lastTurnAt).toBe(now);
    }
    expect(smtp.mails).toHaveLength(PLACES.mail);
    thinks.resolve();
    await settle();
    await expectCounts({ delivered: 20 });
    expect(smtp.mails).toHaveLength(20);
    expect(smtp.mostOpen).toBeLessThanOrEqual(PLACES.mail);
  });

  test("that says nothing holds up no SMS (row 47)", async () => {
    smtp.always({ slow: { sender: new Promise(() => undefined) } });
    await start();
    for (let count = 0; count < 12; count++) await apply({ channel: "mail" });
    worker?.wake();
    await expect.poll(() => smtp.attempts).toBe(PLACES.mail);
    await apply();
    worker?.wake();
    await expect.poll(applicationsTexted).toHaveLength(1);
    expect(smtp.attempts).toBe(PLACES.mail);
  });

  test("whose places are all taken, and that has failed for long, has those who wait go by SMS (row 47)", async () => {
    smtp.always({ slow: { sender: new Promise(() => undefined) } });
    await noteMailFault();
    await start();
    for (let count = 0; count < PLACES.mail; count++) await apply({ channel: "mail" });
    worker?.wake();
    await expect.poll(() => smtp.attempts).toBe(PLACES.mail);
    now += 15 * MINUTE;
    await apply({ channel: "mail" });
    worker?.wake();
    await expect.poll(applicationsTexted).toHaveLength(1);
  });
});

describe("a channel that does not work", () => {
  test.each([
    ["a wrong token", { status: 401, code: 20003 }, "인증 토큰 설정"],
    ["a suspended account", { status: 403, code: 30002 }, "정지"],
  ])("%s: the mail goes out at once, with one alarm a day (row 15)", async (_name, fault, cure) => {
    twilio.always(fault);
    await start();
    await apply();
    await settle();
    await expectCounts({ delivered: 1 });
    expect(applicationsMailed()).toHaveLength(1);
    expect(alarmsMailed()).toHaveLength(1);
    expect(alarmsMailed()[0]?.parsed.text).toContain(cure);

    await apply();
    await settle();
    await pass(2 * HOUR);
    await start();
    await apply();
    await settle();
    expect(alarmsMailed()).toHaveLength(1);

    await pass(23 * HOUR);
    expect(alarmsMailed()).toHaveLength(2);
  });

  test.each([
    ["a number that is none", 21211, "받는 번호 설정"],
    ["a landline", 21614, "받는 번호 설정"],
  ])(
    "%s: the mail goes out at once, and the owner is told once (row 48)",
    async (_name, code, cure) => {
      twilio.always({ status: 400, code });
      await start();
      await apply();
      await settle();
      await expectCounts({ delivered: 1 });
      expect(applicationsMailed()).toHaveLength(1);
      expect(alarmsMailed()).toHaveLength(1);
      expect(alarmsMailed()[0]?.parsed.text).toContain(cure);
      expect(await home.store.failingChannels()).toEqual([]);
      for (let days = 0; days < 3; days++) {
        await pass(DAY);
        await apply();
        await settle();
      }
      expect(alarmsMailed()).toHaveLength(1);
    },
  );

  test("that is silent is left after 15 minutes, and by those who come later at once (row 22)", async () => {
    await start();
    await twilio.stop();
    await apply();
    await settle();
    await pass(14 * MINUTE);
    expect(applicationsMailed()).toHaveLength(0);
    await pass(MINUTE);
    expect(applicationsMailed()).toHaveLength(1);
    expect(alarmsMailed()).toHaveLength(1);
    await apply();
    await settle();
    expect(applicationsMailed()).toHaveLength(2);
    twilio = new TwilioPeer();
    await twilio.start();
  });

  test("mail: the SMS stands in, and the alarm comes by SMS", async () => {
    smtp.always({ sender: 535 });
    await start();
    await apply({ channel: "mail" });
    await settle();
    expect(twilio.messages).toHaveLength(2);
    const bodies = twilio.messages.map(({ body }) => body);
    expect(
      bodies.filter((body) => body.startsWith("운전연수 신청") && body.includes("(메일 대신)")),
    ).toHaveLength(1);
    expect(bodies.filter((body) => body.includes("아이디와 비밀번호"))).toHaveLength(1);
  });

  test("is named in health with its fault, and forgotten once it works", async () => {
    twilio.next({ status: 401, code: 20003 });
    await start();
    await apply();
    await settle();
    const config = { sms: undefined, mail: undefined };
    const look = () => healthOf({ store: home.store, config, worker, now: () => now });
    const sick = await look();
    expect(sick.status).toBe("degraded");
    expect(sick.problems.join()).toMatch(/SMS.*auth token is wrong/);
    expect(JSON.stringify(sick)).not.toContain(OWNER);
    await apply();
    await settle();
    expect((await look()).problems).toEqual([]);
  });
});

test("a note of a mail whose answer was lost is no mail: it goes out at its next time", async () => {
  let lost = false;
  const store: Store = {
    ...home.store,
    recordIntent: async (...intent) => {
      const result = await home.store.recordIntent(...intent);
      if (lost) return result;
      lost = true;
      throw new StorageUnavailable("The database is gone.", "failing");
    },
  };
  await start({ mail: mail() }, DEFAULT_CAPS, store);
  await apply({ channel: "mail" });
  await settle();
  expect(smtp.mails).toHaveLength(0);
  await pass(5 * SECOND);
  await expectCounts({ delivered: 1 });
  expect(smtp.mails).toHaveLength(1);
});

describe("a text message that leaves out some of it", () => {
  const long = () => anApplication({ message: "가나다 ".repeat(200) });

  test("has the whole go out by mail too, once", async () => {
    await start();
    await apply({ application: long() });
    await settle();
    await pass(5 * SECOND);
    await expectCounts({ delivered: 1 });
    expect(applicationsTexted()).toHaveLength(1);
    expect(applicationsMailed()).toEqual([expect.stringMatching(/^\[문자 전문\] /)]);
    expect(smtp.mails[0]?.parsed.text).toContain("가나다 ".repeat(199));
  });

  test("is enough where mail does not work, and costs no second text message", async () => {
    smtp.always({ sender: 451 });
    await start();
    await apply({ application: long() });
    for (let minutes = 0; minutes < 60; minutes += 5) await pass(5 * MINUTE);
    await expectCounts({ delivered: 1 });
    expect(applicationsTexted()).toHaveLength(1);
    expect(applicationsMailed()).toEqual([]);
  });
});

describe("the owner is told", () => {
  test.each([
    ["an application every day", true],
    ["one application, and none afterwards", false],
  ])(
    "once in a week of a phone that is switched off, with %s (row 48)",
    async (_what, daily) => {
      twilio.becomes = { status: "undelivered", code: 30003 };
      await start();
      await apply();
      for (let hours = 0; hours < 7 * 24; hours += 3) {
        if (daily && hours % 24 === 9) await apply();
        await pass(3 * HOUR);
      }
      expect(applicationsMailed()).toHaveLength(daily ? 8 : 1);
      expect(alarmsMailed()).toHaveLength(1);
      expect(alarmsMailed()[0]?.parsed.text).toContain("010-9999-0000");
      expect(twilio.messages.every(({ body }) => body.startsWith("운전연수 신청"))).toBe(true);
      expect(await home.store.failingChannels()).toEqual([]);
    },
    30_000,
  );

  test("again when a phone that worked meanwhile is off once more (row 48)", async () => {
    await start();
    for (const status of ["undelivered", "delivered", "undelivered"]) {
      twilio.becomes = { status, ...(status === "undelivered" ? { code: 30003 } : {}) };
      await apply();
      await settle();
      await pass(5 * SECOND);
      await pass(DAY);
      await pass(DAY);
    }
    expect(alarmsMailed()).toHaveLength(2);
  });

  test("no more once nothing new has failed since the last alarm (row 48)", async () => {
    twilio.next({ status: 401, code: 20003 });
    await start();
    await apply();
    await settle();
    expect(alarmsMailed()).toHaveLength(1);
    for (let days = 0; days < 7; days++) await pass(DAY);
    expect(alarmsMailed()).toHaveLength(1);
  });

  test("of a backup that failed, until one succeeds (row 43)", async () => {
    await start();
    await home.store.writeNote("backup-failure", { at: now, value: "ENOSPC" });
    await settle();
    expect(alarmsMailed()).toHaveLength(1);
    expect(alarmsMailed()[0]?.parsed.subject).toBe("[확인 필요] 백업을 만들지 못하고 있습니다");
    await pass(2 * DAY);
    expect(alarmsMailed()).toHaveLength(1);
    await home.store.writeNote("backup-failure", { at: now, value: "ENOSPC" });
    await home.store.writeNote("backup", { at: now + 1, value: "applications.db" });
    await settle();
    expect(alarmsMailed()).toHaveLength(1);
  });

  test("once a day, also while nobody knows whether it arrived (row 49)", async () => {
    twilio.always({ status: 500, stores: true });
    const channels = { sms: sms(), mail: mail(), file: file() };
    const needs = { store: home.store, channels, caps: DEFAULT_CAPS, now: () => now };
    const alarms = () => twilio.messages.filter(({ body }) => body.includes("보내지 못하고"));
    for (let hours = 0; hours <= 25; hours++) {
      await noteMailFault();
      await raiseAlarms(needs, new AbortController().signal);
      // In the first round mail has failed for less than 15 minutes.
      expect(alarms()).toHaveLength(hours === 0 ? 0 : hours < 25 ? 1 : 2);
      now += HOUR;
    }
  });

  test("within the caps on SMS (row 49)", async () => {
    smtp.always({ sender: 550 });
    await start({ sms: sms(), mail: mail() }, { hourly: 1, daily: 100 });
    await apply({ channel: "mail" });
    await settle();
    for (let minutes = 0; minutes < 55; minutes += 5) await pass(5 * MINUTE);
    expect(twilio.messages).toHaveLength(1);
    await pass(10 * MINUTE);
    // An alarm that found no room is tried again five minutes later, and after the one that is under way.
    const texted = () => {
      now += 5 * MINUTE;
      worker?.wake();
      return twilio.messages.length;
    };
    await expect.poll(texted, { timeout: 10_000 }).toBe(2);
  });
});

test("after short outages in a row, what waits goes out within a minute of the first success, the oldest first (row 51)", async () => {
  smtp.always({ sender: 451 });
  await start();
  const numbers: string[] = [];
  for (let count = 0; count < 34; count++) {
    const stored = await apply({ channel: "mail" });
    if (stored.outcome === "stored") numbers.push(stored.applicationId);
  }
  await settle();
  for (const seconds of [5, 15, 60]) await pass(seconds * SECOND);
  smtp.always(undefined);
  await pass(SECOND);
  expect(applicationsMailed()).toEqual([]);
  // Their own next time is five minutes away. Another one comes, and gets through.
  await apply({ channel: "mail" });
  await settle();
  for (let seconds = 0; seconds < 60; seconds += 5) await pass(5 * SECOND);
  expect(applicationsMailed()).toHaveLength(35);
  const arrived = subjects().map((subject) => subject.slice(1, 10).replace("-", ""));
  const half = numbers.slice(0, 17);
  expect(arrived.slice(0, 20)).toEqual(expect.arrayContaining(half));
  await expectCounts({ delivered: 35 });
}, 60_000);

describe("a channel that is not configured", () => {
  test("has the other one take its applications, marked", async () => {
    await start({ mail: mail() });
    await apply();
    await settle();
    expect(applicationsMailed()).toEqual([expect.stringMatching(/^\[문자 대신\] /)]);
    await expectCounts({ delivered: 1, filed: 0 });
  });

  test("like the other one: files, which go out once one is configured (row 24)", async () => {
    await start({});
    await apply();
    await apply({ channel: "mail" });
    await settle();
    await expectCounts({ filed: 2, delivered: 0 });
    const outbox = join(home.folder, "outbox");
    for (const name of readdirSync(outbox)) rmSync(join(outbox, name));
    await start({});
    await settle();
    await expectCounts({ filed: 2 });
    // What was written once is not written again at every start.
    expect(readdirSync(outbox)).toEqual([]);
    await start({ mail: mail() });
    await settle();
    await expectCounts({ filed: 0, delivered: 2 });
    expect(applicationsMailed()).toHaveLength(2);
  });
});

describe("the caps on SMS", () => {
  test("send what exceeds them as one mail, of which a restart makes no second", async () => {
    await start({ sms: sms(), mail: mail() }, { hourly: 3, daily: 100 });
    for (let count = 0; count < 8; count++) await apply();
    await settle();
    expect(twilio.messages).toHaveLength(3);
    await start({ sms: sms(), mail: mail() }, { hourly: 3, daily: 100 });
    await pass(10 * MINUTE);
    expect(twilio.messages).toHaveLength(3);
    expect(applicationsMailed()).toEqual(["[문자 대신] 운전연수 신청 5건"]);
    const text = smtp.mails[0]?.parsed.text ?? "";
    expect(text.match(/010-1234-5678/g)).toHaveLength(5);
    await expectCounts({ delivered: 8 });
  });

  test("keep it waiting where there is no mail, hour by hour and then day by day", async () => {
    await start({ sms: sms() }, { hourly: 2, daily: 5 });
    for (let count = 0; count < 6; count++) await apply();
    await settle();
    expect(twilio.messages).toHaveLength(2);
    await pass(59 * MINUTE);
    expect(twilio.messages).toHaveLength(2);
    await pass(MINUTE);
    expect(twilio.messages).toHaveLength(4);
    await pass(HOUR);
    expect(twilio.messages).toHaveLength(5);
    await pass(20 * HOUR);
    expect(twilio.messages).toHaveLength(5);
    await pass(2 * HOUR);
    expect(twilio.messages).toHaveLength(6);
  });

  test("count every number, and not what Twilio did not take", async () => {
    twilio.next({ status: 429 }, { status: 429 });
    await start({ sms: sms([OWNER, "+821099990001"]) }, { hourly: 4, daily: 100 });
    for (let count = 0; count < 3; count++) await apply();
    await settle();
    await pass(5 * SECOND);
    expect(twilio.messages).toHaveLength(4);
  });
});

test("two days without any channel lose nothing, and everything goes out in order under the caps (row 23)", async () => {
  const caps = { hourly: 4, daily: 10 };
  twilio.always({ status: 401, code: 20003 });
  smtp.always({ sender: 550 });
  await start({ sms: sms(), mail: mail() }, caps);
  const numbers: string[] = [];
  for (let hours = 0; hours < 48; hours += 6) {
    const stored = await apply();
    if (stored.outcome === "stored") numbers.push(stored.applicationId);
    await pass(6 * HOUR);
  }
  await expectCounts({ waiting: 8, delivered: 0, needsOwner: 0 });
  expect(smtp.mails).toHaveLength(0);

  twilio.always(undefined);
  await pass(31 * MINUTE);
  // The alarm about mail goes out by SMS too, and counts: it can take the place of one of the four.
  expect(twilio.messages).toHaveLength(4);
  const texted = applicationsTexted();
  expect(texted.length).toBeGreaterThanOrEqual(3);
  // All eight are begun side by side. SQLite serves them as they come, PostgreSQL in any order.
  if (!postgresUrl) expect(texted.toSorted()).toEqual(numbers.slice(0, texted.length).toSorted());

  smtp.always(undefined);
  await pass(45 * MINUTE);
  await pass(MINUTE);
  expect(applicationsTexted().length).toBeLessThanOrEqual(8);
  await pass(HOUR);
  await expectCounts({ waiting: 0, needsOwner: 0, delivered: 8 });
}, 60_000);

test("what a dead channel kept back goes out as soon as it works again, and not at its own next time (row 23)", async () => {
  twilio.always({ status: 401, code: 20003 });
  await start({ sms: sms() });
  for (let count = 0; count < 3; count++) await apply();
  await settle();
  await pass(31 * MINUTE);
  expect(twilio.messages).toHaveLength(0);
  twilio.always(undefined);
  await pass(MINUTE);
  expect(twilio.messages).toHaveLength(0);
  await apply();
  await settle();
  expect(applicationsTexted().length).toBeGreaterThanOrEqual(1);
  await pass(MINUTE);
  await expect.poll(applicationsTexted).toHaveLength(4);
});

describe("a worker that stalls past its lease", () => {
  /** Whether the store took the notes of the worker that stalled. */
  let noted: boolean[];

  /** A store whose worker stands still before it begins, while another takes over what it held. */
  function stalling(): Store {
    let stalls = true;
    noted = [];
    return {
      ...home.store,
      recordIntent: async (delivery, beginning) => {
        if (stalls) {
          // The other one sees first that the lease has passed, with a clock that seems a little fast until then.
          const later = now + 2 * MINUTE + SECOND;
          await home.store.leaseDue({ now: later, leaseMs: MINUTE / 2, limit: 100 });
          now = later;
        }
        stalls = false;
        return home.store.recordIntent(delivery, beginning);
      },
      mark: async (...note) => {
        const taken = await home.store.mark(...note);
        noted.push(taken);
        return taken;
      },
    };
  }

  test("sends nothing afterwards, and leaves the row to the other (row 11)", async () => {
    await apply();
    await start({ sms: sms(), mail: mail() }, DEFAULT_CAPS, stalling());
    await expect.poll(() => noted, { timeout: 5_000 }).toEqual([false]);
    expect(twilio.requests).toBe(0);
    expect(smtp.attempts).toBe(0);
    await expectCounts({ leased: 1 });
  });

  test("sends no digest either (row 11)", async () => {
    const caps = { hourly: 1, daily: 100 };
    await start({ sms: sms(), mail: mail() }, caps);
    for (let count = 0; count < 3; count++) await apply();
    await settle();
    await pass(5 * SECOND);
    await expectCounts({ delivered: 1, waiting: 2 });
    await worker?.stop();
    now += 10 * MINUTE;
    await start({ sms: sms(), mail: mail() }, caps, stalling());
    await expect.poll(() => noted, { timeout: 5_000 }).toEqual([false, false]);
    expect(smtp.mails).toHaveLength(0);
    await expectCounts({ leased: 2 });
  });
});

test("a lease that ran out is neither begun nor marked (row 11)", async () => {
  await apply();
  const [stalled] = await home.store.leaseDue({ now, leaseMs: MINUTE, limit: 1 });
  now += MINUTE;
  const [other] = await home.store.leaseDue({ now, leaseMs: MINUTE, limit: 1 });
  if (!stalled || !other) throw new Error("nothing was due");
  const beginning = { transport: "sms", recipients: [OWNER], caps: undefined, now } as const;
  expect(await home.store.recordIntent(stalled, beginning)).toEqual({ outcome: "lost" });
  expect(await home.store.mark(stalled, { state: "delivered", transport: "sms" }, now)).toBe(false);
  expect(await home.store.recordIntent(other, beginning)).toEqual({ outcome: "recorded" });
});

describe("an application that looks automated", () => {
  test("goes out by mail with its mark, and is never texted, not even when mail fails for hours", async () => {
    smtp.always({ sender: 451 });
    await apply({ channel: "sms", suspicion: "honeypot" });
    await start();
    for (let hours = 0; hours < 3; hours++) await pass(HOUR);
    expect(applicationsTexted()).toEqual([]);
    smtp.always(undefined);
    await pass(HOUR);
    await expectCounts({ delivered: 1 });
    expect(applicationsTexted()).toEqual([]);
    expect(applicationsMailed()).toEqual([expect.stringContaining("자동 입력 의심")]);
  });
});
