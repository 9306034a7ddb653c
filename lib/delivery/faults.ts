import { PROVIDER_CHANNELS, type ProviderChannel } from "#lib/channels/names.ts";
import { elapsedMs, FAILOVER_AFTER_MS } from "#lib/delivery/retry.ts";
import type { Evidence } from "#lib/storage/queries/evidence.ts";
import type { Store } from "#lib/storage/store.ts";

export interface DeliveryFault {
  channel: ProviderChannel;
  /** Undefined if the channel itself is at fault. */
  recipient: string | undefined;
  since: number;
  seenAt: number;
  advice: string;
  /** True: the provider rejects. False: the provider does not answer, or takes nothing for now. */
  isRejected: boolean;
}

export async function listFaults(
  store: Pick<Store, "listEvidence">,
  recipientsOn: (channel: ProviderChannel) => readonly string[] | undefined,
): Promise<DeliveryFault[]> {
  const faults = await Array.fromAsync(PROVIDER_CHANNELS, async (channel) => {
    const own = recipientsOn(channel);
    return own ? judgeEvidence(channel, own, await store.listEvidence(channel)) : [];
  });
  return faults.flat();
}

/** A channel is at fault if, since its last success, a fault was about it, or two together point to it. Pure. */
export function judgeEvidence(
  channel: ProviderChannel,
  recipients: readonly string[],
  evidence: readonly Evidence[],
): DeliveryFault[] {
  const toFaults = (recipient: string | undefined, met: readonly Evidence[]): DeliveryFault[] => {
    const last = met.at(-1);
    if (last === undefined) return [];
    const { answeredAt: seenAt = 0, advice = "", outcome } = last;
    const since = Math.min(...met.map(({ failingSince = seenAt }) => failingSince));
    return [{ channel, recipient, since, seenAt, advice, isRejected: outcome === "rejected" }];
  };
  const sinceLastSuccess = evidence.filter(
    ({ recoveredAt, about, recipient }) =>
      recoveredAt === undefined && (about === "channel" || recipients.includes(recipient)),
  );
  const refusals = sinceLastSuccess.filter(({ about }) => about !== "channel");
  const isShared = refusals.some((one) => refusals.some((other) => pointToChannel(one, other)));
  if (isShared) return toFaults(undefined, sinceLastSuccess);
  const ofChannel = sinceLastSuccess.filter(({ about }) => about === "channel");
  const ofRecipients = evidence.filter(({ about }) => about === "recipient");
  const byRecipient = Map.groupBy(ofRecipients, ({ recipient }) => recipient);
  return [
    ...toFaults(undefined, ofChannel),
    ...recipients.flatMap((to) => toFaults(to, byRecipient.get(to) ?? [])),
  ];
}

/** True for a rejection, and for any other fault that is FAILOVER_AFTER_MS old. */
export const isLastingFault = ({ isRejected, since }: DeliveryFault, now: number) =>
  isRejected || elapsedMs(since, now) >= FAILOVER_AFTER_MS;

/** True if two faults together point to the channel. Two faults of one recipient point to that recipient. */
function pointToChannel(one: Evidence, other: Evidence): boolean {
  return one.about === "recipient" && other.about === "recipient"
    ? one.recipient !== other.recipient
    : one.noticeId !== other.noticeId;
}
