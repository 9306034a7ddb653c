/** Applications that wait in a store, and the one that a lease brings. */
import type { AttemptResult, LeasedDelivery } from "#lib/application/delivery.ts";
import { aNewApplication, TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

export const LEASE_MS = 60_000;
export const DELIVERED: AttemptResult = { state: "delivered", transport: "sms" };

export async function storeWith(count: number) {
  const temporary = temporaryStore();
  for (let index = 0; index < count; index++) {
    await temporary.store.accept(
      aNewApplication({ idempotencyKey: `${index}`, now: TEST_NOW + index * 1_000 }),
    );
  }
  return temporary;
}

export function only(leased: LeasedDelivery[]): LeasedDelivery {
  const [delivery] = leased;
  if (!delivery || leased.length > 1)
    throw new Error(`expected one delivery, got ${leased.length}`);
  return delivery;
}
