/** What outcomes mean for the rows: the recipients' messages, the recipients, and the channel as a whole. */
import type { ChannelNote, Message, RecipientNote } from "#lib/application/delivery.ts";
import type { MessageState } from "#lib/application/delivery-states.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import type { SendOutcome } from "#lib/channels/channel.ts";

type KnownOutcome = Exclude<SendOutcome, { outcome: "held" }>;

const STATES: Readonly<Record<KnownOutcome["outcome"], MessageState>> = {
  delivered: "delivered",
  accepted: "sent",
  retry: "unsent",
  refused: "refused",
  unknown: "unknown",
};

/**
 * A message after an outcome. The id of an earlier message stays until there is a new one, so that a search
 * does not take the earlier message for the new one. `left`: the message is counted as a copy already; one that
 * certainly did not go out is not counted any more.
 */
export function messageAfter(outcome: KnownOutcome, message: Message, left: boolean): Message {
  const told = "providerId" in outcome ? outcome.providerId : undefined;
  const isOut =
    told !== undefined || outcome.outcome === "unknown" || outcome.outcome === "delivered";
  return {
    ...message,
    state: STATES[outcome.outcome],
    providerId: told ?? message.providerId,
    copies: left && !isOut ? message.copies - 1 : message.copies,
  };
}

/** A refusal of one number or address says nothing of the others. */
export function isRecipientsFault(outcome: SendOutcome): boolean {
  return outcome.outcome === "refused" && outcome.dead === "recipient";
}

/** What outcomes of one channel say about it; `since`: when the try began. */
export function noteOnChannel(
  channel: Channel,
  outcomes: readonly SendOutcome[],
  since: number,
): ChannelNote[] {
  const faults = outcomes.filter((each) => "error" in each && !isRecipientsFault(each));
  const refusal = faults.find((each) => each.outcome === "refused");
  const works = outcomes.some(({ outcome }) => outcome === "delivered" || outcome === "accepted");
  const told = refusal ?? (works ? undefined : faults[0]);
  if (told === undefined || !("error" in told)) return works ? [{ channel, fault: undefined }] : [];
  const { error, advice } = told;
  return [{ channel, fault: { error, advice, refused: told.outcome === "refused", since } }];
}

/** What an outcome says about its recipient. What a provider only took may still not arrive. */
export function noteOnRecipient(
  channel: Channel,
  recipient: string,
  outcome: SendOutcome,
): RecipientNote[] {
  if (outcome.outcome === "delivered") return [{ channel, recipient, fault: undefined }];
  if (!isRecipientsFault(outcome) || !("error" in outcome)) return [];
  const { error, advice } = outcome;
  return [{ channel, recipient, fault: { error, advice } }];
}
