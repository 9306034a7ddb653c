import { readdirSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import type { LeasedDelivery } from "#lib/application/delivery.ts";
import type { Pause } from "#lib/delivery/supervised-loop.ts";
import type { DeliveryWorker } from "#lib/delivery/worker.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";
import { aNewApplication, TEST_NOW } from "#testing/temporary-store.ts";
import {
  expectCounts,
  file,
  folder,
  followed,
  home,
  MINUTE,
  now,
  quickPauses,
  smtp,
  twilio,
  untilAborted,
  work,
} from "#testing/worker-with-peers.ts";

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
