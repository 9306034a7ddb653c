/** A test rig for the delivery: a real store, a test's Twilio and mail server, and a clock that only the test moves. */
import { join } from "node:path";
import { test as base, expect } from "vitest";
import { SECOND } from "#lib/application/durations.ts";
import { openFileChannel } from "#lib/channels/file.ts";
import { openMailChannel } from "#lib/channels/mail/smtp.ts";
import { CHANNEL_NAMES, PROVIDER_CHANNELS } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
import { openSmsChannel } from "#lib/channels/sms/twilio.ts";
import type { DeliveryOptions, Sleep } from "#lib/delivery/deps.ts";
import { latestDueTime } from "#lib/delivery/retry.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import type { NewApplication } from "#lib/storage/stored-application.ts";
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

/** `rig` is a new rig, whose worker has only the channel `file`. */
export const test = base.extend<{ rig: DeliveryRig }>({
  rig: async ({}, use) => {
    await using rig = new DeliveryRig();
    await rig.twilio.start();
    await rig.smtp.start();
    await use(rig);
  },
});

export class DeliveryRig implements AsyncDisposable {
  readonly database: TemporaryStore = openTemporaryStore();
  readonly store = this.database.store;
  readonly messageFolder = join(this.database.folder, "outbox");
  readonly twilio = new TwilioPeer();
  readonly smtp = new SmtpPeer();
  now = TEST_NOW;
  #isStopping = false;
  /** A pause lasts until its signal aborts. A stop ends every pause at once, to cut off conversations that hang. */
  readonly #pause: Sleep = (_ms, signal) =>
    new Promise((resolve) => {
      if (this.#isStopping || signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });

  /** The channels of the worker that was started last. */
  channels: Channels = {};
  worker = this.#createWorker({});

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopWorker();
    await Promise.all([this.twilio.stop(), this.smtp.stop()]);
    await this.database[Symbol.asyncDispose]();
  }

  openSms(to = [OWNER_PHONE]) {
    const sender = { from: "+12025550100" };
    return openSmsChannel(
      { ...TWILIO_ACCOUNT, sender, to, apiUrl: this.twilio.url },
      () => this.now,
    );
  }

  openMail(to = [OWNER_MAIL]) {
    const from = { name: "", address: "site@practice.example" };
    return openMailChannel({ server: this.smtp.mailServer(), from, to }, "http://practice.example");
  }

  /** The worker runs a pass only when the test asks for it. */
  #createWorker(
    channels: Channels,
    caps = DEFAULT_CAPS,
    deps: Partial<DeliveryOptions> = {},
  ): DeliveryWorker {
    const isConfigured = PROVIDER_CHANNELS.some((name) => channels[name]);
    this.channels = isConfigured ? channels : { file: openFileChannel(this.messageFolder) };
    return new DeliveryWorker({
      store: this.store,
      channels: this.channels,
      caps,
      retention: { retentionDays: 90, dataDir: this.database.folder },
      now: () => this.now,
      // The test's only clock serves as the wall clock and as the monotonic clock.
      monotonicNow: () => this.now,
      random: () => 0,
      pause: this.#pause,
      ...deps,
    });
  }

  async stopWorker(): Promise<void> {
    this.#isStopping = true;
    await this.worker.stop();
    this.#isStopping = false;
  }

  /** Replaces the worker, as a restart of the server does. */
  async restartWorker(
    channels: Channels = { sms: this.openSms(), mail: this.openMail() },
    caps = DEFAULT_CAPS,
    deps: Partial<DeliveryOptions> = {},
  ): Promise<void> {
    await this.stopWorker();
    this.worker = this.#createWorker(channels, caps, deps);
  }

  apply(changes: Partial<NewApplication> = {}) {
    const { now } = this;
    const idempotencyKey = crypto.randomUUID();
    return this.store.accept(aNewApplication({ now, idempotencyKey, ...changes }));
  }

  async deliverNew(changes: Partial<NewApplication> = {}) {
    const stored = await this.apply(changes);
    await this.runUntilIdle();
    return stored;
  }

  async advance(ms: number): Promise<void> {
    this.now += ms;
    await this.runUntilIdle();
  }

  /** Moves the clock on from one due time to the next, in steps of at least `step`; the last may be shorter. */
  async advanceInSteps(ms: number, step = SECOND): Promise<void> {
    const end = this.now + ms;
    await this.runUntilIdle();
    while (this.now < end) {
      const next = (await this.store.readNextDueTime(this.now)) ?? end;
      await this.advance(Math.min(Math.max(next - this.now, step), end - this.now));
    }
  }

  async runUntilIdle(): Promise<void> {
    // An alarm is raised in the pass after its fault, so the rig is idle after two idle passes.
    for (let passes = 0, quiet = 0; quiet < 2; passes++) {
      if (passes > 100) throw new Error("there is always something due");
      await this.worker.runPass();
      await this.worker.waitUntilIdle();
      quiet = (await this.#isAnythingDue()) ? 0 : quiet + 1;
    }
  }

  async #isAnythingDue(): Promise<boolean> {
    const { now, store } = this;
    if ((await store.listNewNoticeIds(1)).length > 0) return true;
    for (const channel of CHANNEL_NAMES) {
      const { recipients = [] } = this.channels[channel] ?? {};
      if (recipients.length === 0) continue;
      const times = { now, latest: latestDueTime(now) };
      const request = { channel, recipients, ...times, exceptIds: [], limit: 1 };
      if ((await store.listDueMessages(request)).length > 0) return true;
    }
    return false;
  }

  async expectCounts(expected: object): Promise<void> {
    const { length: done } = await this.store.list({ states: ["done"] });
    expect({ ...(await this.store.countApplications()), done }).toMatchObject(expected);
  }

  mailSubjects(): string[] {
    return this.smtp.mails.map(({ parsed }) => parsed.subject ?? "");
  }

  /** Subjects of the mails that are no alarms. */
  applicationMailSubjects(): string[] {
    return this.mailSubjects().filter((subject) => !subject.includes("확인 필요"));
  }

  /** Numbers of the applications in the texts. */
  applicationsTexted(): string[] {
    return this.twilio.messages
      .filter(({ body }) => body.startsWith("운전연수 신청"))
      .map(({ body }) => body.slice(-9).replace("-", ""));
  }

  alarmsMailed() {
    return this.smtp.mails.filter(({ parsed }) => parsed.subject?.includes("확인 필요"));
  }
}
