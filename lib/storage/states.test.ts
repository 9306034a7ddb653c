import { expect, test } from "vitest";
import type { AttemptResult, LeasedDelivery } from "#lib/application/delivery.ts";
import {
  DELIVERY_STATES,
  type DeliveryState,
  DUE_STATES,
  TRANSITIONS,
} from "#lib/application/delivery-states.ts";
import type { Store } from "#lib/storage/store.ts";
import { aNewApplication, TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

const LEASE_MS = 60_000;
const LATER = TEST_NOW + 60 * 60_000;

/** The note that leads a leased delivery into a state. */
const NOTES: Partial<Record<DeliveryState, AttemptResult>> = {
  waiting: { state: "waiting", nextAttemptAt: TEST_NOW, error: "busy" },
  sent: { state: "sent", nextAttemptAt: TEST_NOW },
  refused: { state: "refused", nextAttemptAt: TEST_NOW, error: "no" },
  unknown: { state: "unknown", nextAttemptAt: TEST_NOW, error: "no answer" },
  filed: { state: "filed", transport: "file" },
  delivered: { state: "delivered", transport: "sms" },
  "needs-owner": { state: "needs-owner", error: "dead" },
};

const lease = async (store: Store, now: number) =>
  (await store.leaseDue({ now, leaseMs: LEASE_MS, limit: 1 }))[0];

/** A delivery that was leased, and has been brought into a state since. */
async function deliveryIn(state: DeliveryState, store: Store): Promise<LeasedDelivery> {
  await store.accept(aNewApplication());
  const leased = await lease(store, TEST_NOW);
  if (!leased) throw new Error("nothing was due");
  const note = NOTES[state];
  if (note) expect(await store.mark(leased, note, TEST_NOW)).toBe(true);
  return leased;
}

test.each(DELIVERY_STATES)("%s: is leased when its time has come, or never", async (state) => {
  await using temporary = temporaryStore();
  await deliveryIn(state, temporary.store);
  const leased = await lease(temporary.store, LATER);
  expect(leased !== undefined).toBe(TRANSITIONS[state].includes("leased"));
  expect(DUE_STATES.includes(state)).toBe(leased !== undefined && state !== "leased");
});

test.each(DELIVERY_STATES)(
  "%s: is noted by the holder of the lease, and by nobody else",
  async (state) => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    const held = await deliveryIn(state, store);
    const notHeld = state === "leased" ? { ...held, fence: held.fence + 1 } : held;
    for (const note of Object.values(NOTES)) {
      expect(await store.mark(notHeld, note, TEST_NOW)).toBe(false);
    }
  },
);

test("leased leads to every state, each of which is noted", () => {
  expect(TRANSITIONS.leased.toSorted()).toEqual([...Object.keys(NOTES), "leased"].toSorted());
});

test.each(DELIVERY_STATES)(
  "%s: waits again once a channel is configured, if it was filed",
  async (state) => {
    await using temporary = temporaryStore();
    const { store } = temporary;
    await deliveryIn(state, store);
    expect(await store.releaseFiled(LATER)).toBe(state === "filed" ? 1 : 0);
  },
);

test.each(DELIVERY_STATES)("%s: is due at the owner's wish, unless under way", async (state) => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  const { applicationId } = await deliveryIn(state, store);
  const resent = await store.resend(applicationId, { again: true, now: TEST_NOW });
  const underWay = state === "leased" || state === "sent";
  expect(resent).toEqual(
    underWay ? { outcome: "under-way", state } : { outcome: "due", from: state },
  );
  const found = await store.find(applicationId);
  const waits = !underWay && TRANSITIONS[state].includes("waiting");
  expect(found?.state).toBe(waits ? "waiting" : state);
  if (!underWay) expect(await lease(store, TEST_NOW)).toMatchObject({ applicationId });
});
