/** Finds faults of channels and recipients from evidence: the step that refused a message only suggests the culprit. */
import { CHANNEL_NAMES, type ChannelName } from "#lib/channels/names.ts";
import { elapsed, FAILOVER_AFTER } from "#lib/delivery/retry.ts";
import type { Evidence } from "#lib/storage/queries/evidence.ts";
import type { Store } from "#lib/storage/store.ts";

/** A channel that does not work, or one number or address that does not get its messages while its channel works. */
export interface ChannelFault {
  channel: ChannelName;
  /** Undefined: the channel itself. */
  recipient: string | undefined;
  /** Time of the first attempt that met the fault. */
  since: number;
  seenAt: number;
  advice: string;
  /** True when the provider rejects; false when it does not answer. */
  isRejected: boolean;
}

/** `recipientsOn`: the owner's numbers or addresses as they are set now; undefined for a channel that is not asked about. */
export async function findFaults(
  store: Pick<Store, "readEvidence">,
  recipientsOn: (channel: ChannelName) => readonly string[] | undefined,
): Promise<ChannelFault[]> {
  const faults: ChannelFault[] = [];
  for (const channel of CHANNEL_NAMES) {
    const own = recipientsOn(channel);
    if (own) faults.push(...judgeEvidence(channel, own, await store.readEvidence(channel)));
  }
  return faults;
}

/**
 * A fault belongs to the channel if the refused step does, or if two messages or two recipients met it and nothing
 * got through in between. Otherwise it belongs to one recipient. A fault of one message is not reported. Pure.
 */
export function judgeEvidence(
  channel: ChannelName,
  recipients: readonly string[],
  evidence: readonly Evidence[],
): ChannelFault[] {
  const sinceLastSuccess = evidence.filter(
    ({ isSinceLastSuccess, about, recipient }) =>
      isSinceLastSuccess && (about === "channel" || recipients.includes(recipient)),
  );
  const refusals = sinceLastSuccess.filter(({ about }) => about !== "channel");
  const isShared = refusals.some((one) => refusals.some((other) => isIndependent(one, other)));
  const ofChannel = isShared
    ? sinceLastSuccess
    : sinceLastSuccess.filter(({ about }) => about === "channel");
  const channelFault = toFault(channel, undefined, ofChannel);
  const ofRecipients = recipients.map((recipient) =>
    toFault(
      channel,
      recipient,
      evidence.filter((each) => each.about === "recipient" && each.recipient === recipient),
    ),
  );
  return [channelFault, ...(isShared ? [] : ofRecipients)].filter((fault) => fault !== undefined);
}

/** True for a refusal, and for a silence that is no longer a short disturbance. */
export const isLasting = ({ isRejected, since }: ChannelFault, now: number) =>
  isRejected || elapsed(since, now) >= FAILOVER_AFTER;

/** True when two refusals together point at the channel. Two refusals by one recipient do not. */
function isIndependent(one: Evidence, other: Evidence): boolean {
  return one.about === "recipient" && other.about === "recipient"
    ? one.recipient !== other.recipient
    : one.message !== other.message;
}

function toFault(
  channel: ChannelName,
  recipient: string | undefined,
  evidence: readonly Evidence[],
): ChannelFault | undefined {
  const last = evidence.toSorted((one, other) => one.id - other.id).at(-1);
  if (last === undefined) return undefined;
  const since = Math.min(...evidence.map((each) => each.since));
  const { endedAt: seenAt = since, advice = "", outcome } = last;
  return { channel, recipient, since, seenAt, advice, isRejected: outcome === "rejected" };
}
