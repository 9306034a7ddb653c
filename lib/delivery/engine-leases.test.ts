import { describe, expect, test } from "vitest";
import type { Store } from "#lib/storage/store.ts";
import {
  apply,
  DEFAULT_CAPS,
  expectCounts,
  home,
  MINUTE,
  mail,
  now,
  OWNER,
  pass,
  SECOND,
  setClock,
  settle,
  sms,
  smtp,
  start,
  twilio,
  worker,
} from "#testing/engine-with-peers.ts";

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
          setClock(later);
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
    setClock(now + 10 * MINUTE);
    await start({ sms: sms(), mail: mail() }, caps, stalling());
    await expect.poll(() => noted, { timeout: 5_000 }).toEqual([false, false]);
    expect(smtp.mails).toHaveLength(0);
    await expectCounts({ leased: 2 });
  });
});

test("a lease that ran out is neither begun nor marked (row 11)", async () => {
  await apply();
  const [stalled] = await home.store.leaseDue({ now, leaseMs: MINUTE, limit: 1 });
  setClock(now + MINUTE);
  const [other] = await home.store.leaseDue({ now, leaseMs: MINUTE, limit: 1 });
  if (!stalled || !other) throw new Error("nothing was due");
  const beginning = { transport: "sms", recipients: [OWNER], caps: undefined, now } as const;
  expect(await home.store.recordIntent(stalled, beginning)).toEqual({ outcome: "lost" });
  expect(await home.store.mark(stalled, { state: "delivered", transport: "sms" }, now)).toBe(false);
  expect(await home.store.recordIntent(other, beginning)).toEqual({ outcome: "recorded" });
});
