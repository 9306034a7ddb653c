/**
 * The whole delivery engine: a real store, a Twilio and a mail server of the test, and a clock that only the test
 * moves. Importing this module makes a new engine before each test of the file.
 */
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { SECOND } from "#lib/application/durations.ts";
import type { NewApplication } from "#lib/application/stored-application.ts";
import { openFileChannel } from "#lib/channels/file.ts";
import { openMail } from "#lib/channels/mail/smtp.ts";
import type { Channels } from "#lib/channels/registry.ts";
import { openSms } from "#lib/channels/sms/twilio.ts";
import type { WorkerDeps } from "#lib/delivery/deps.ts";
import { latestPlannedTime } from "#lib/delivery/retry.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TWILIO_ACCOUNT, TwilioPeer } from "#testing/peers/twilio-peer.ts";
import {
  aNewApplication,
  openTemporaryStore,
  TEST_NOW,
  type TemporaryStore,
} from "#testing/storage/temporary-store.ts";

const OWNER_PHONE = "+821099990000";
export const OWNER_MAIL = "owner@practice.example";
export const DEFAULT_CAPS = { hourly: 30, daily: 100 };

export let testDatabase: TemporaryStore;
export let twilio: TwilioPeer;
export let smtp: SmtpPeer;
/** The worker that was started last. */
export let worker: DeliveryWorker;
export let now: number;

beforeEach(async () => {
  testDatabase = openTemporaryStore();
  twilio = new TwilioPeer();
  smtp = new SmtpPeer();
  await Promise.all([twilio.start(), smtp.start()]);
  now = TEST_NOW;
  worker = createWorker({ writeFile: writeFile() });
});
afterEach(async () => {
  await worker.stop();
  await Promise.all([twilio.stop(), smtp.stop()]);
  await testDatabase[Symbol.asyncDispose]();
});

export const openTestSms = (to = [OWNER_PHONE]) =>
  openSms(
    { ...TWILIO_ACCOUNT, sender: { from: "+12025550100" }, to, apiUrl: twilio.url },
    () => now,
  );
export const openTestMail = (to = [OWNER_MAIL]) =>
  openMail(
    { server: smtp.at(), from: { name: "", address: "site@practice.example" }, to },
    "http://practice.example",
  );
export const messageFolder = () => join(testDatabase.folder, "outbox");
const writeFile = () => openFileChannel(messageFolder());

/** The worker runs a pass only when the test calls `runPass`. */
function createWorker(
  channels: Channels,
  { caps = DEFAULT_CAPS, store = testDatabase.store, ...deps }: Partial<WorkerDeps> = {},
): DeliveryWorker {
  return new DeliveryWorker({
    store,
    channels,
    caps,
    retention: { retentionDays: 90, dataDir: testDatabase.folder },
    now: () => now,
    // The test's only clock serves as the wall clock and as the monotonic clock.
    monotonic: () => now,
    random: () => 0,
    // The grace period of a stopping worker (8 s) ends at once. Every other pause lasts until it is aborted.
    pause: (ms, signal) =>
      new Promise((resolve) => {
        if (ms === 8_000 || signal.aborted) resolve();
        else signal.addEventListener("abort", () => resolve(), { once: true });
      }),
    ...deps,
  });
}

/** Replaces the worker, as a restart of the server does. */
export async function startWorker(
  channels: Partial<Channels> = { sms: openTestSms(), mail: openTestMail() },
  caps = DEFAULT_CAPS,
  deps: Partial<WorkerDeps> = {},
): Promise<void> {
  await worker.stop();
  worker = createWorker({ writeFile: writeFile(), ...channels }, { caps, ...deps });
}

export const storeApplication = (changes: Partial<NewApplication> = {}) =>
  testDatabase.store.accept(
    aNewApplication({ now, idempotencyKey: crypto.randomUUID(), ...changes }),
  );

export async function deliverNew(changes: Partial<NewApplication> = {}) {
  const stored = await storeApplication(changes);
  await runUntilIdle();
  return stored;
}

export function setClock(time: number): void {
  now = time;
}

export async function advanceClock(ms: number): Promise<void> {
  now += ms;
  await runUntilIdle();
}

/** Moves the clock on from one due job to the next, in steps of at least `step`. */
export async function advanceClockInSteps(ms: number, step = SECOND): Promise<void> {
  const end = now + ms;
  await runUntilIdle();
  while (now < end) {
    const next = (await testDatabase.store.nextDueAt(now)) ?? end;
    await advanceClock(Math.min(Math.max(next - now, step), end - now));
  }
}

export async function runUntilIdle(): Promise<void> {
  // An alarm is raised in the pass after its fault, so the engine is idle after two idle passes.
  for (let passes = 0, quiet = 0; quiet < 2; passes++) {
    if (passes > 100) throw new Error("there is always something due");
    await worker.runPass();
    await worker.idle();
    const due = await testDatabase.store.dueJobs({ now, latest: latestPlannedTime(now), limit: 1 });
    quiet = due.length > 0 ? 0 : quiet + 1;
  }
}

export const expectApplicationCounts = async (expected: object) =>
  expect(await testDatabase.store.counts(now)).toMatchObject(expected);
export const mailSubjects = () => smtp.mails.map(({ parsed }) => parsed.subject ?? "");
export const applicationsMailed = () =>
  mailSubjects().filter((subject) => !subject.includes("확인 필요"));
export const applicationsTexted = () =>
  twilio.messages
    .filter(({ body }) => body.startsWith("운전연수 신청"))
    .map(({ body }) => body.slice(-9).replace("-", ""));
export const alarmsMailed = () =>
  smtp.mails.filter(({ parsed }) => parsed.subject?.includes("확인 필요"));
