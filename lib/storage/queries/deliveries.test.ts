import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MAX_WAIT_MS } from "#lib/application/delivery.ts";
import { DELIVERED, LEASE_MS, only, storeWith } from "#testing/stored-deliveries.ts";
import {
  aNewApplication,
  anApplication,
  postgresUrl,
  TEST_NOW,
  temporaryStore,
} from "#testing/temporary-store.ts";

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
