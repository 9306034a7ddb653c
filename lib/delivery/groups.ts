/** What goes out in one message: the deliveries of a digest, and every other one by itself. */
import type { AttemptResult, LeasedDelivery, Transport } from "#lib/application/delivery.ts";
import type { Channels } from "#lib/channels/open.ts";
import { type AttemptTerms, attempt } from "#lib/delivery/attempt.ts";
import { attemptDigest } from "#lib/delivery/digest.ts";
import type { AttemptNeeds } from "#lib/delivery/send.ts";

function isDigest({ digest }: LeasedDelivery, { mail }: Channels): boolean {
  return digest !== undefined && mail !== undefined;
}

export function groupsOf(due: readonly LeasedDelivery[], channels: Channels): LeasedDelivery[][] {
  const groups = Map.groupBy(due, (delivery) =>
    isDigest(delivery, channels) ? `digest ${delivery.digest}` : delivery.deliveryId,
  );
  return [...groups.values()];
}

/** A digest is a mail, whatever place was free. */
export function placeOf(
  group: readonly LeasedDelivery[],
  place: Transport,
  channels: Channels,
): Transport {
  return group.some((delivery) => isDigest(delivery, channels)) ? "mail" : place;
}

export async function attemptGroup(
  group: readonly LeasedDelivery[],
  needs: AttemptNeeds,
  terms: AttemptTerms,
): Promise<ReadonlyMap<number, AttemptResult>> {
  const [first] = group;
  if (first === undefined) return new Map();
  if (isDigest(first, needs.channels)) return attemptDigest(group, needs, terms);
  return new Map([[first.deliveryId, await attempt(first, needs, terms)]]);
}
