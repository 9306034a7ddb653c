import { expect, test } from "vitest";
import type { Store } from "#lib/storage/store.ts";
import { aNewApplication, TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

const MINUTE = 60_000;
const WAITING = 34;
const LATER = { state: "waiting", nextAttemptAt: TEST_NOW + 5 * MINUTE, error: "451" } as const;
const FAULT = { error: "451", advice: "", refused: false };

/** Stores applications and leases them. */
async function leased(store: Store, count: number) {
  for (let index = 0; index < count; index++) {
    const idempotencyKey = crypto.randomUUID();
    await store.accept(aNewApplication({ channel: "mail", idempotencyKey }));
  }
  return store.leaseDue({ now: TEST_NOW, leaseMs: MINUTE, limit: count });
}

test("what waited for a channel falls due over the minute after its first success, the oldest first", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  const waiting = await leased(store, WAITING);
  for (const lease of waiting) {
    const failed = { ...LATER, failingSince: TEST_NOW };
    await store.mark(lease, { ...failed, channels: [{ channel: "mail", fault: FAULT }] }, TEST_NOW);
  }
  const [first] = await leased(store, 1);
  if (!first) throw new Error("nothing was due");
  const success = { state: "delivered", transport: "mail" } as const;
  const works = { channel: "mail", fault: undefined } as const;
  await store.mark(first, { ...success, channels: [works] }, TEST_NOW);

  const dueBy: string[] = [];
  const counts: number[] = [];
  for (const seconds of [0, 30, 60]) {
    const now = TEST_NOW + seconds * 1_000;
    const due = await store.leaseDue({ now, leaseMs: 5 * MINUTE, limit: WAITING });
    dueBy.push(...due.map(({ applicationId }) => applicationId));
    counts.push(dueBy.length);
  }
  expect(counts).toEqual([1, WAITING / 2 + 1, WAITING]);
  expect(dueBy).toEqual(waiting.map(({ applicationId }) => applicationId));
});
