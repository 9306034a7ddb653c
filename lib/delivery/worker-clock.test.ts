import { describe, expect, test } from "vitest";
import type { Channels } from "#lib/channels/open.ts";
import { aNewApplication } from "#testing/temporary-store.ts";
import {
  DAY,
  expectCounts,
  HOUR,
  home,
  now,
  quickPauses,
  setClock,
  smsAttempts,
  smtp,
  twilio,
  work,
} from "#testing/worker-with-peers.ts";

describe("the clock", () => {
  test("set forward by a year sends what waits once, not more", async () => {
    twilio.next({ status: 429 });
    await home.store.accept(aNewApplication());
    const worker = work();
    await smsAttempts(1);
    setClock(now + 365 * DAY);
    worker.wake();
    await expectCounts({ sent: 1 });
    expect(twilio.messages).toHaveLength(1);
  });

  test("set back by a year does not strand what waits", async () => {
    twilio.next({ status: 429 });
    await home.store.accept(aNewApplication());
    const worker = work();
    await smsAttempts(1);
    setClock(now - 365 * DAY);
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
    setClock(now + jump);
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
