import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import type { MessageChannel } from "#lib/channels/channel.ts";
import { openMailChannel } from "#lib/channels/mail/smtp.ts";
import type { Channels } from "#lib/channels/open.ts";
import { pauseFor } from "#lib/delivery/supervised-loop.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";
import { aNewApplication } from "#testing/temporary-store.ts";
import {
  employ,
  expectCounts,
  file,
  home,
  journalFile,
  MINUTE,
  never,
  now,
  smtp,
  stillPause,
  twilio,
  untilAborted,
  work,
} from "#testing/worker-with-peers.ts";

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
