/** What outcomes mean for the rows: the recipients' messages, and the channel as a whole. */

import type { ChannelNote, Message } from "#lib/application/delivery.ts";
import type { MessageState } from "#lib/application/delivery-states.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import type { SendOutcome } from "#lib/channels/channel.ts";

const STATES: Readonly<Record<SendOutcome["outcome"], MessageState>> = {
  delivered: "delivered",
  accepted: "sent",
  retry: "unsent",
  refused: "refused",
  unknown: "unknown",
  held: "unsent",
};

/**
 * A recipient's dispatch after an outcome. The id of an earlier message stays until there is a new one, so
 * that the earlier one is not taken for it.
 */
export function dispatchAfter(outcome: SendOutcome, dispatch: Message): Message {
  const told = "providerId" in outcome ? outcome.providerId : undefined;
  const providerId = told ?? dispatch.providerId;
  return { ...dispatch, state: STATES[outcome.outcome], providerId };
}

/** What outcomes of one channel say about it: a refusal is worth an alarm even when others got it. */
export function noteOn(channel: Channel, outcomes: readonly SendOutcome[]): ChannelNote[] {
  const faults = outcomes.filter((each) => "error" in each);
  const refusal = faults.find((each) => each.outcome === "refused");
  const works = outcomes.some(({ outcome }) => outcome === "delivered" || outcome === "accepted");
  const told = refusal ?? (works ? undefined : faults[0]);
  if (told === undefined) return works ? [{ channel, fault: undefined }] : [];
  const { error, advice } = told;
  return [{ channel, fault: { error, advice, refused: told.outcome === "refused" } }];
}
