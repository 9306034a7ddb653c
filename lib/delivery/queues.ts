/** Which deliveries wait for the same places. */

import type { Transport } from "#lib/application/delivery.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import type { Channels } from "#lib/channels/open.ts";
import type { Clock } from "#lib/clock.ts";
import type { InFlight } from "#lib/delivery/in-flight.ts";
import { FAILOVER_AFTER_MS } from "#lib/delivery/retry.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

/** Deliveries that go to one channel first (all, where there is only one), and the places that they may take. */
export interface Queue {
  of: Channel | undefined;
  places: readonly Transport[];
}

interface Needs {
  store: Pick<DeliveryStore, "failingChannels" | "nextDueAt">;
  channels: Channels;
  now: Clock;
}

/** Deliveries of a channel that has long failed may also take the places of the other one: they go out there. */
export async function queuesNow({ channels, store, now }: Needs): Promise<Queue[]> {
  const [only, other] = (["sms", "mail"] as const).filter((name) => channels[name]);
  if (only === undefined) return [{ of: undefined, places: ["file"] }];
  if (other === undefined) return [{ of: undefined, places: [only] }];
  const failing = await store.failingChannels();
  const hasFailedLong = (name: Channel) =>
    failing.some(({ channel, since }) => channel === name && now() - since >= FAILOVER_AFTER_MS);
  return [
    { of: only, places: hasFailedLong(only) ? [only, other] : [only] },
    { of: other, places: hasFailedLong(other) ? [other, only] : [other] },
  ];
}

/** When the next delivery is due that has a free place. */
export async function nextTurnAt(
  queues: readonly Queue[],
  { store }: Needs,
  inFlight: InFlight,
): Promise<number> {
  let next = Number.POSITIVE_INFINITY;
  for (const { of, places } of queues) {
    if (places.every((place) => inFlight.freePlaces(place) <= 0)) continue;
    next = Math.min(next, (await store.nextDueAt(of)) ?? next);
  }
  return next;
}
