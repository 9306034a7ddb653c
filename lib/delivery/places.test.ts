import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFileChannel } from "#lib/channels/file.ts";
import { openMailChannel } from "#lib/channels/mail/smtp.ts";
import { AttemptJournal } from "#lib/delivery/attempt-journal.ts";
import { PLACES } from "#lib/delivery/in-flight.ts";
import { DeliveryWorker } from "#lib/delivery/worker.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import {
  aNewApplication,
  TEST_NOW,
  type TemporaryStore,
  temporaryStore,
} from "#testing/temporary-store.ts";

const MEMBERS = 5;

let home: TemporaryStore;
let smtp: SmtpPeer;
let worker: DeliveryWorker;
beforeEach(async () => {
  home = temporaryStore();
  smtp = new SmtpPeer();
  await smtp.start();
  const addresses = { from: "site@practice.example", to: ["owner@practice.example"] };
  const outbox = join(home.folder, "outbox");
  worker = new DeliveryWorker({
    store: home.store,
    channels: {
      mail: openMailChannel({ smtpUrl: smtp.url, ...addresses }),
      file: openFileChannel({ folder: outbox, mail: addresses }),
    },
    caps: { hourly: 30, daily: 100 },
    journal: new AttemptJournal(join(home.folder, "attempts.journal")),
    retention: { days: 90, folder: outbox, backups: join(home.folder, "backups") },
    now: () => TEST_NOW,
    // Ends by a wake alone; the grace of a stop is over at once.
    pause: (ms, signal) =>
      new Promise((resolve) => {
        if (ms === 8_000 || signal.aborted) return resolve();
        signal.addEventListener("abort", () => resolve(), { once: true });
      }),
  });
});
afterEach(async () => {
  await worker.stop();
  await smtp.stop();
  await home[Symbol.asyncDispose]();
});

const apply = (key: string) =>
  home.store.accept(aNewApplication({ channel: "mail", idempotencyKey: key }));

test("a digest takes one place, however many it carries: mails go out beside one that hangs", async () => {
  expect(MEMBERS).toBeGreaterThan(PLACES.mail);
  for (let member = 0; member < MEMBERS; member++) await apply(`member ${member}`);
  for (const lease of await home.store.leaseDue({ now: TEST_NOW, leaseMs: 1, limit: MEMBERS })) {
    const waits = { state: "waiting", nextAttemptAt: TEST_NOW, error: "the cap" } as const;
    await home.store.mark(lease, { ...waits, digest: "one" }, TEST_NOW);
  }
  smtp.next({ slow: { sender: new Promise(() => undefined) } });
  worker.start();
  await expect.poll(() => smtp.attempts).toBe(1);
  expect(await home.store.counts()).toMatchObject({ leased: MEMBERS });
  for (let single = 0; single < PLACES.mail; single++) await apply(`single ${single}`);
  worker.wake();
  await expect.poll(() => smtp.mails.length, { timeout: 5_000 }).toBe(PLACES.mail);
  expect(smtp.mostOpen).toBe(PLACES.mail);
  expect(await home.store.counts()).toMatchObject({ leased: MEMBERS });
});
