/**
 * The delivery engine as a whole: a real store, a Twilio and a mail server that misbehave, and a clock that tests move.
 * To import it is to have all of it made anew before each test of the file.
 */
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import type { NewApplication } from "#lib/application/stored-application.ts";
import { openFileChannel } from "#lib/channels/file.ts";
import { openMailChannel } from "#lib/channels/mail/smtp.ts";
import type { Channels } from "#lib/channels/open.ts";
import { openSmsChannel } from "#lib/channels/sms/twilio.ts";
import { AttemptJournal } from "#lib/delivery/attempt-journal.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TWILIO_ACCOUNT, TwilioPeer } from "#testing/peers/twilio-peer.ts";
import {
  aNewApplication,
  TEST_NOW,
  type TemporaryStore,
  temporaryStore,
} from "#testing/temporary-store.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const OWNER = "+821099990000";
export const OWNER_MAIL = "owner@practice.example";
export const DEFAULT_CAPS = { hourly: 30, daily: 100 };

export let home: TemporaryStore;
export let twilio: TwilioPeer;
export let smtp: SmtpPeer;
/** The one that was started last. */
export let worker: DeliveryWorker | undefined;
/** Whether the worker has ended a turn, and been woken for no other. */
let asleep = false;
/** Calls of the store and sends by the workers that have not ended; an alarm goes out beside the turns. */
let underWay = 0;
/** Where the clock of the test stands. */
export let now: number;

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
export const sms = (to = [OWNER]) => {
  const account = { ...TWILIO_ACCOUNT, sender: { from: "+12025550100" }, to, apiUrl: twilio.url };
  const channel = openSmsChannel(account, () => now);
  return { ...channel, send: counted(channel.send) };
};
export const mail = (to = [OWNER_MAIL]) => {
  const channel = openMailChannel({ smtpUrl: smtp.url, from: "site@practice.example", to });
  return { ...channel, send: counted(channel.send) };
};
export const file = () =>
  openFileChannel({
    folder: join(home.folder, "outbox"),
    mail: { from: "site@localhost", to: ["owner@localhost"] },
  });

/** A worker whose pauses end only by a wake; a new one takes over from the last, as after a restart. */
export async function start(
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
export function release(): DeliveryWorker | undefined {
  const released = worker;
  worker = undefined;
  return released;
}

export const apply = (changes: Partial<NewApplication> = {}) =>
  home.store.accept(aNewApplication({ now, idempotencyKey: crypto.randomUUID(), ...changes }));

/** The worker sees it when it next looks. */
export function setClock(time: number): void {
  now = time;
}

/** Time passes, and the worker does all that has fallen due. */
export async function pass(ms: number): Promise<void> {
  now += ms;
  await settle();
}

/** Until nothing is under way and nothing is due. */
export async function settle(): Promise<void> {
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
export async function noteMailFault(): Promise<void> {
  await apply({ channel: "mail" });
  const [lease] = await home.store.leaseDue({ now, leaseMs: MINUTE, limit: 1 });
  if (!lease) throw new Error("nothing was due");
  const fault = { error: "silence", advice: "", refused: false };
  const waits = { state: "waiting", nextAttemptAt: now + DAY, error: "silence" } as const;
  await home.store.mark(lease, { ...waits, channels: [{ channel: "mail", fault }] }, now);
}

export const expectCounts = (expected: object) =>
  expect.poll(() => home.store.counts(), { interval: 5, timeout: 5_000 }).toMatchObject(expected);
export const subjects = () => smtp.mails.map(({ parsed }) => parsed.subject ?? "");
export const applicationsMailed = () =>
  subjects().filter((subject) => !subject.includes("확인 필요"));
export const applicationsTexted = () =>
  twilio.messages
    .filter(({ body }) => body.startsWith("운전연수 신청"))
    .map(({ body }) => body.slice(-9).replace("-", ""));
export const alarmsMailed = () =>
  smtp.mails.filter(({ parsed }) => parsed.subject?.includes("확인 필요"));
