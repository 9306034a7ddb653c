/**
 * Delivery workers on a real store, with a Twilio and a mail server of their own, and a clock that tests move.
 * To import it is to have all of it made anew before each test of the file.
 */
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { openFileChannel } from "#lib/channels/file.ts";
import { openMailChannel } from "#lib/channels/mail/smtp.ts";
import type { Channels } from "#lib/channels/open.ts";
import { openSmsChannel } from "#lib/channels/sms/twilio.ts";
import type { Clock } from "#lib/clock.ts";
import { AttemptJournal } from "#lib/delivery/attempt-journal.ts";
import type { Pause } from "#lib/delivery/supervised-loop.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TWILIO_ACCOUNT, TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { TEST_NOW, type TemporaryStore, temporaryStore } from "#testing/temporary-store.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export let home: TemporaryStore;
export let twilio: TwilioPeer;
export let smtp: SmtpPeer;
export let workers: DeliveryWorker[];
/** Where the clock of the test stands. */
export let now: number;

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

/** The workers see it when they next look. */
export function setClock(time: number): void {
  now = time;
}

export const folder = () => join(home.folder, "outbox");
export const journalFile = () => join(home.folder, "attempts.journal");
export const file = () =>
  openFileChannel({ folder: folder(), mail: { from: "a@localhost", to: ["b@localhost"] } });

export const textsThrough = (apiUrl: string) =>
  openSmsChannel(
    { ...TWILIO_ACCOUNT, sender: { from: "+12025550100" }, to: ["+821099990000"], apiUrl },
    () => now,
  );

export function allChannels(): Channels {
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

interface Changes {
  store?: DeliveryStore;
  monotonic?: Clock;
  channels?: Channels;
  pause?: Pause;
}

/** A worker whose pauses end only by a wake or a stop, unless a test gives another pause. */
export function work(changes: Changes = {}): DeliveryWorker {
  const worker = employ(changes);
  worker.start();
  return worker;
}

/** The same, before it starts. */
export function employ(changes: Changes = {}): DeliveryWorker {
  const worker = new DeliveryWorker({
    store: home.store,
    channels: allChannels(),
    caps: { hourly: 30, daily: 100 },
    journal: new AttemptJournal(journalFile()),
    retention: { days: 90, folder: folder(), backups: join(folder(), "backups") },
    now: () => now,
    // Time that passes, and is not set.
    monotonic: () => now,
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
export const stillPause: Pause = (ms, signal) =>
  ms === STOP_GRACE_MS ? Promise.resolve() : untilAborted(ms, signal);

export const untilAborted: Pause = (_ms, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

export const never = () => new AbortController().signal;

/** Pauses that are over in a moment, and noted. */
export function quickPauses() {
  const pauses: number[] = [];
  const pause: Pause = async (ms) => {
    pauses.push(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { pauses, pause };
}

/** Waits until the store counts what is expected. */
export const expectCounts = (expected: object) =>
  expect.poll(() => home.store.counts(), { interval: 5, timeout: 5_000 }).toMatchObject(expected);

/** The next question about what Twilio took falls due, and is answered. */
export async function followed(worker: DeliveryWorker, expected: object) {
  await expectCounts({ leased: 0, waiting: 0 });
  now += 5_000;
  worker.wake();
  await expectCounts(expected);
}

/** Waits until this many attempts at an SMS have been made and noted. */
export async function smsAttempts(count: number) {
  await expect.poll(() => twilio.requests, { interval: 1 }).toBe(count);
  await expectCounts({ leased: 0 });
}
