import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { DeliveryWorker } from "#lib/delivery/worker.ts";
import { log } from "#lib/log.ts";
import { aNewApplication, TEST_NOW } from "#testing/temporary-store.ts";
import {
  DAY,
  expectCounts,
  file,
  folder,
  followed,
  HOUR,
  home,
  MINUTE,
  now,
  quickPauses,
  setClock,
  textsThrough,
  twilio,
  work,
  workers,
} from "#testing/worker-with-peers.ts";

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

    setClock(delivered + 89 * DAY);
    worker.wake();
    await expect.poll(() => worker.status().lastTurnAt).toBe(now);
    await expectCounts({ delivered: 1 });
    expect(existsSync(join(folder(), message))).toBe(true);

    setClock(delivered + 91 * DAY);
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
    setClock(now + 365 * DAY);
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
      const watched = { monotonic: () => monotonic };
      await home.store.accept(aNewApplication({ idempotencyKey: "delivered" }));
      await followed(work(watched), { delivered: 1 });
      const sent = twilio.messages.length;
      await workers.at(-1)?.stop();
      await home.store.accept(aNewApplication({ idempotencyKey: "filed" }));
      const filing = work({ ...watched, channels: { file: file() } });
      await expectCounts({ delivered: 1, filed: 1 });
      await filing.stop();
      const [message = ""] = readdirSync(folder());
      const old = (TEST_NOW - 400 * DAY) / 1_000;
      utimesSync(join(folder(), message), old, old);

      setClock(now + jump);
      const worker = work({ ...watched, channels: { file: file() } });
      for (const hours of [1, 22]) {
        setClock(now + hours * HOUR);
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
      const watched = { monotonic: () => monotonic };
      const runs = async (worker: DeliveryWorker, ms: number) => {
        setClock(now + ms);
        monotonic += ms;
        worker.wake();
        await expect.poll(() => worker.status().lastTurnAt).toBe(now);
      };
      const texts = { file: file(), sms: textsThrough(twilio.url) };
      await home.store.accept(aNewApplication({ idempotencyKey: "delivered" }));
      await followed(work({ ...watched, channels: texts }), { delivered: 1 });
      await workers.at(-1)?.stop();
      const nowhere = { file: file(), sms: textsThrough("http://127.0.0.1:1") };
      await home.store.accept(aNewApplication({ idempotencyKey: "waiting" }));
      const worker = work({ ...watched, channels: nowhere });
      await expectCounts({ delivered: 1, waiting: 1, leased: 0 });

      setClock(now + jump);
      for (const hours of [1, 22]) await runs(worker, hours * HOUR);
      await expectCounts({ delivered: 1, waiting: 1, leased: 0, needsOwner: 0 });
      await worker.stop();
      for (const idempotencyKey of ["delivered", "waiting"]) {
        const again = await home.store.accept(aNewApplication({ idempotencyKey, now }));
        expect(again.outcome).toBe("replayed");
      }

      const mended = work({ ...watched, channels: texts });
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
      setClock(now + ms);
      monotonic += ms;
      worker.wake();
      await expect.poll(() => worker.status().lastTurnAt).toBe(now);
    };
    const watched = { monotonic: () => monotonic };
    const texts = { file: file(), sms: textsThrough(twilio.url) };
    await home.store.accept(aNewApplication());
    await followed(work({ channels: texts }), { delivered: 1 });
    await workers.at(-1)?.stop();
    setClock(now + 91 * DAY);
    const first = work({ channels: texts, ...watched });
    // Its first turn has ended when the second of these begins.
    for (const minutes of [5, 5]) await runs(first, minutes * MINUTE);
    await runs(first, 13 * HOUR);
    await first.stop();
    monotonic = 0;
    setClock(now + jump);
    const second = work({ channels: texts, ...watched });
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
