import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AttemptResult, type LeasedDelivery, MAX_WAIT_MS } from "#lib/application/delivery.ts";
import {
  aNewApplication,
  anApplication,
  postgresUrl,
  TEST_NOW,
  temporaryStore,
} from "#testing/temporary-store.ts";

const LEASE_MS = 60_000;
const DELIVERED: AttemptResult = { state: "delivered", transport: "sms" };

async function storeWith(count: number) {
  const temporary = temporaryStore();
  for (let index = 0; index < count; index++) {
    await temporary.store.accept(
      aNewApplication({ idempotencyKey: `${index}`, now: TEST_NOW + index * 1_000 }),
    );
  }
  return temporary;
}

function only(leased: LeasedDelivery[]): LeasedDelivery {
  const [delivery] = leased;
  if (!delivery || leased.length > 1)
    throw new Error(`expected one delivery, got ${leased.length}`);
  return delivery;
}

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

describe("marking", () => {
  test("a retry waits until its time, and counts its attempts", async () => {
    await using temporary = await storeWith(1);
    const { store } = temporary;
    const retryAt = TEST_NOW + 5_000;
    const take = (now: number) => store.leaseDue({ now, leaseMs: LEASE_MS, limit: 10 });
    const first = only(await take(TEST_NOW));
    expect(first.attempts).toBe(0);
    await store.mark(first, { state: "waiting", nextAttemptAt: retryAt, error: "busy" }, TEST_NOW);
    expect(await store.nextDueAt()).toBe(retryAt);
    expect(await take(retryAt - 1)).toEqual([]);
    expect(only(await take(retryAt)).attempts).toBe(1);
  });

  test("a retry further ahead than a day is moved to a day", async () => {
    await using temporary = await storeWith(1);
    const { store } = temporary;
    const delivery = only(await store.leaseDue({ now: TEST_NOW, leaseMs: LEASE_MS, limit: 1 }));
    const inAWeek = TEST_NOW + 7 * MAX_WAIT_MS;
    await store.mark(
      delivery,
      { state: "waiting", nextAttemptAt: inAWeek, error: "busy" },
      TEST_NOW,
    );
    expect(await store.nextDueAt()).toBe(TEST_NOW + MAX_WAIT_MS);
  });

  test("what was given up is kept, counted and never leased again", async () => {
    await using temporary = await storeWith(1);
    const { store } = temporary;
    const delivery = only(await store.leaseDue({ now: TEST_NOW, leaseMs: LEASE_MS, limit: 1 }));
    await store.mark(delivery, { state: "needs-owner", error: "dead number" }, TEST_NOW);
    const nextYear = TEST_NOW + 365 * 24 * 60 * 60_000;
    expect(await store.leaseDue({ now: nextYear, leaseMs: LEASE_MS, limit: 1 })).toEqual([]);
    expect(await store.deleteDeliveredBefore(nextYear)).toEqual([]);
    expect(await store.counts()).toMatchObject({ needsOwner: 1, oldestWaitingSince: undefined });
  });

  test("a settled delivery cannot be marked again", async () => {
    await using temporary = await storeWith(1);
    const { store } = temporary;
    const delivery = only(await store.leaseDue({ now: TEST_NOW, leaseMs: LEASE_MS, limit: 1 }));
    expect(await store.mark(delivery, DELIVERED, TEST_NOW)).toBe(true);
    expect(await store.mark(delivery, DELIVERED, TEST_NOW)).toBe(false);
  });
});

test("nextDueAt is the earliest retry or lease end, and nothing when nothing waits", async () => {
  await using temporary = await storeWith(2);
  const { store } = temporary;
  expect(await store.nextDueAt()).toBe(TEST_NOW);
  const leased = await store.leaseDue({ now: TEST_NOW + 5_000, leaseMs: LEASE_MS, limit: 10 });
  expect(await store.nextDueAt()).toBe(TEST_NOW + 5_000 + LEASE_MS);
  for (const delivery of leased) await store.mark(delivery, DELIVERED, TEST_NOW);
  expect(await store.nextDueAt()).toBeUndefined();
});

test("the oldest waiting application is the oldest that is waiting or leased", async () => {
  await using temporary = await storeWith(3);
  const { store } = temporary;
  const [first] = await store.leaseDue({ now: TEST_NOW + 5_000, leaseMs: LEASE_MS, limit: 2 });
  if (!first) throw new Error("nothing was due");
  expect((await store.counts()).oldestWaitingSince).toBe(TEST_NOW);
  await store.mark(first, DELIVERED, TEST_NOW);
  expect(await store.counts()).toEqual({
    waiting: 1,
    leased: 1,
    sent: 0,
    filed: 0,
    delivered: 1,
    needsOwner: 0,
    oldestWaitingSince: TEST_NOW + 1_000,
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

describe("deleting what was delivered", () => {
  const CANARY = "카나리아새이름";

  test("names what it deletes and keeps what is newer or not delivered", async () => {
    await using temporary = await storeWith(3);
    const { store } = temporary;
    const leased = await store.leaseDue({ now: TEST_NOW + 5_000, leaseMs: LEASE_MS, limit: 2 });
    for (const [index, delivery] of leased.entries()) {
      await store.mark(delivery, DELIVERED, TEST_NOW + index);
    }
    expect(await store.deleteDeliveredBefore(TEST_NOW + 1)).toEqual([leased[0]?.applicationId]);
    expect(await store.counts()).toMatchObject({ delivered: 1, waiting: 1 });
  });

  // PostgreSQL keeps its files and its journal itself.
  test.skipIf(postgresUrl)("leaves nothing of it in the database file or its journal", async () => {
    await using temporary = temporaryStore();
    const { store, folder } = temporary;
    const application = anApplication({ name: CANARY, message: `${CANARY}\n`.repeat(60) });
    await store.accept(aNewApplication({ application }));
    for (let index = 0; index < 20; index++) {
      await store.accept(aNewApplication({ idempotencyKey: `${index}` }));
    }
    expect(filesWith(CANARY, folder)).not.toEqual([]);

    const [delivery] = await store.leaseDue({ now: TEST_NOW, leaseMs: LEASE_MS, limit: 1 });
    expect(delivery?.application.name).toBe(CANARY);
    if (delivery) await store.mark(delivery, DELIVERED, TEST_NOW);
    await store.deleteDeliveredBefore(TEST_NOW + 1);
    expect(filesWith(CANARY, folder)).toEqual([]);
  });

  function filesWith(text: string, folder: string) {
    return readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
  }
});
