import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DELIVERED, LEASE_MS, only, storeWith } from "#testing/stored-deliveries.ts";
import {
  aNewApplication,
  postgresUrl,
  TEST_NOW,
  temporaryStore,
} from "#testing/temporary-store.ts";

describe("leasing", () => {
  // SQLite's limit is 1,000; PostgreSQL has none that comes near.
  test.skipIf(postgresUrl)(
    "takes more at once than fit into one condition, as a digest can hold",
    async () => {
      await using temporary = temporaryStore();
      const { store } = temporary;
      const keys = Array.from({ length: 1_100 }, (_, index) => `${index}`);
      await Promise.all(
        keys.map((idempotencyKey) => store.accept(aNewApplication({ idempotencyKey }))),
      );
      const leased = await store.leaseDue({ now: TEST_NOW, leaseMs: LEASE_MS, limit: keys.length });
      expect(new Set(leased.map(({ deliveryId }) => deliveryId)).size).toBe(keys.length);
      expect(await store.counts()).toMatchObject({ leased: keys.length });
    },
  );

  test("takes what is due, the oldest first, up to the limit", async () => {
    await using temporary = await storeWith(3);
    const { store } = temporary;
    const now = TEST_NOW + 1_500;
    const leased = await store.leaseDue({ now, leaseMs: LEASE_MS, limit: 1 });
    const rest = await store.leaseDue({ now, leaseMs: LEASE_MS, limit: 10 });
    expect([...leased, ...rest].map(({ submittedAt }) => submittedAt - TEST_NOW)).toEqual([
      0, 1_000,
    ]);
  });

  test("gives a delivery to one worker until its lease ends, then to the next with a newer fence", async () => {
    await using temporary = await storeWith(1);
    const { store } = temporary;
    const take = (now: number) => store.leaseDue({ now, leaseMs: LEASE_MS, limit: 10 });
    const first = only(await take(TEST_NOW));
    expect(await take(TEST_NOW + LEASE_MS - 1)).toEqual([]);
    const second = only(await take(TEST_NOW + LEASE_MS));
    expect(second.fence).toBeGreaterThan(first.fence);

    expect(await store.mark(first, DELIVERED, TEST_NOW + LEASE_MS)).toBe(false);
    expect(await store.mark(second, DELIVERED, TEST_NOW + LEASE_MS)).toBe(true);
    expect(await store.counts()).toMatchObject({ delivered: 1, leased: 0 });
  });

  test("two workers on one database never lease the same delivery", async () => {
    await using temporary = await storeWith(40);
    const other = temporary.another();
    const options = { now: TEST_NOW + 60_000, leaseMs: LEASE_MS, limit: 3 };
    const batches = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        (index % 2 ? other : temporary.store).leaseDue(options),
      ),
    );
    await other.close();
    const ids = batches.flat().map(({ deliveryId }) => deliveryId);
    expect(ids).toHaveLength(40);
    expect(new Set(ids).size).toBe(40);
  });

  test("what a killed process had leased is due at once after releaseLeases", async () => {
    await using temporary = await storeWith(2);
    const { store } = temporary;
    const later = TEST_NOW + 5_000;
    await store.leaseDue({ now: later, leaseMs: LEASE_MS, limit: 1 });
    expect(await store.releaseLeases(later)).toHaveLength(1);
    expect(await store.leaseDue({ now: later, leaseMs: LEASE_MS, limit: 10 })).toHaveLength(2);
  });

  test("a worker that read the clock a little earlier does not take over a lease", async () => {
    await using temporary = await storeWith(1);
    const { store } = temporary;
    only(await store.leaseDue({ now: TEST_NOW, leaseMs: LEASE_MS, limit: 1 }));
    const earlier = { now: TEST_NOW - 2_000, leaseMs: LEASE_MS, limit: 1 };
    expect(await store.leaseDue(earlier)).toEqual([]);
  });

  test("a clock that is set back by a year strands neither what waits nor what is leased", async () => {
    await using temporary = await storeWith(2);
    const { store } = temporary;
    const lastYear = TEST_NOW - 365 * 24 * 60 * 60_000;
    await store.leaseDue({ now: TEST_NOW, leaseMs: LEASE_MS, limit: 1 });
    expect(await store.leaseDue({ now: lastYear, leaseMs: LEASE_MS, limit: 10 })).toHaveLength(2);
  });
});

test("whatever workers do, no delivery has two holders and none is lost", async () => {
  const step = fc.record({
    passes: fc.nat(2 * LEASE_MS),
    limit: fc.integer({ min: 1, max: 3 }),
    ends: fc.constantFrom("delivered", "waiting", "needs-owner", "dies"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await using temporary = await storeWith(4);
      const { store } = temporary;
      const heldUntil = new Map<number, number>();
      let now = TEST_NOW;
      for (const { passes, limit, ends } of steps) {
        now += passes;
        for (const delivery of await store.leaseDue({ now, leaseMs: LEASE_MS, limit })) {
          expect(heldUntil.get(delivery.deliveryId) ?? 0).toBeLessThanOrEqual(now);
          heldUntil.set(delivery.deliveryId, ends === "dies" ? now + LEASE_MS : 0);
          if (ends === "waiting") {
            await store.mark(delivery, { state: ends, nextAttemptAt: now, error: "busy" }, now);
          } else if (ends === "needs-owner") {
            await store.mark(delivery, { state: ends, error: "dead" }, now);
          } else if (ends === "delivered") {
            await store.mark(delivery, DELIVERED, now);
            heldUntil.set(delivery.deliveryId, Number.POSITIVE_INFINITY);
          }
        }
      }
      const { waiting, leased, delivered, needsOwner } = await store.counts();
      expect(waiting + leased + delivered + needsOwner).toBe(4);
    }),
    // An empty database for each run takes PostgreSQL a while.
    { numRuns: postgresUrl ? 10 : 40 },
  );
}, 30_000);
