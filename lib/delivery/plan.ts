/** What to do next with a delivery, from what is known of it. Pure. */
import type { Message, Transport } from "#lib/application/delivery.ts";
import type { Channel } from "#lib/application/stored-application.ts";

const MINUTE = 60_000;
/** A channel that has failed for this long is no longer waited for, where there is another. */
export const FAILOVER_AFTER_MS = 15 * MINUTE;
/** What was refused is tried again after this: a person may have mended it. */
const REFUSED_FOR_MS = 29 * MINUTE;

/** Which transports may take a delivery, in order: its own channel, then the other, else the file. */
function transportsFor(
  channel: Channel,
  isConfigured: (channel: Channel) => boolean,
): [Transport, ...Channel[]] {
  const inOrder: Channel[] = channel === "sms" ? ["sms", "mail"] : ["mail", "sms"];
  const [first, ...rest] = inOrder.filter(isConfigured);
  return first === undefined ? ["file"] : [first, ...rest];
}

export interface Situation {
  /** The channel of its form. */
  channel: Channel;
  /** The owner's numbers and addresses, for the channels that are configured. */
  recipients: Partial<Record<Channel, readonly string[]>>;
  messages: readonly Message[];
  /** Whether this attempt has asked what became of what was sent. */
  followed: boolean;
  /** The channels that this attempt has tried. */
  tried: ReadonlySet<Channel>;
  /** Since when its first channel has not worked. */
  failingSince: number | undefined;
  now: number;
}

export type Step =
  | { step: "file" }
  /** Ask what became of these. */
  | { step: "follow"; messages: Message[] }
  | {
      step: "send";
      transport: Channel;
      recipients: string[];
      /** The channel that it stands in for. */
      insteadOf: Channel | undefined;
    }
  /** The owner has it, by this transport. */
  | { step: "done"; transport: Channel }
  /** Not now; `refused` when every way said no. */
  | { step: "wait"; because: "waiting" | "refused" | "unknown" };

export function nextStep(situation: Situation): Step {
  const { channel, recipients, messages, tried } = situation;
  const [first, second] = transportsFor(channel, (name) => recipients[name] !== undefined);
  if (first === "file") return { step: "file" };
  const sent = messages.filter(({ state }) => state === "sent");
  if (sent.length > 0 && !situation.followed) return { step: "follow", messages: sent };

  if (second && hasIt(messages, second)) return { step: "done", transport: second };
  const openFirst = openRecipients(situation, first);
  if (openFirst.length > 0 && !tried.has(first)) {
    const insteadOf = first === channel ? undefined : channel;
    return { step: "send", transport: first, recipients: openFirst, insteadOf };
  }
  const refused = messages.some(
    ({ transport, state }) => transport === first && state === "refused",
  );
  if (openFirst.length === 0 && hasIt(messages, first) && (!refused || !second)) {
    return { step: "done", transport: first };
  }
  if (second && !tried.has(second) && (refused || hasFailedLong(situation))) {
    const open = openRecipients(situation, second);
    if (open.length > 0) {
      return { step: "send", transport: second, recipients: open, insteadOf: first };
    }
  }
  return { step: "wait", because: reasonToWait(situation, [first, ...(second ? [second] : [])]) };
}

function hasIt(messages: readonly Message[], on: Channel): boolean {
  return messages.some(
    ({ transport, state }) => transport === on && (state === "sent" || state === "delivered"),
  );
}

function hasFailedLong({ failingSince, now }: Situation): boolean {
  return failingSince !== undefined && now - failingSince >= FAILOVER_AFTER_MS;
}

/** The recipients who could still get it on a channel. */
function openRecipients({ recipients, messages, now }: Situation, channel: Channel): string[] {
  const someoneHasIt = messages.some(({ state }) => state === "sent" || state === "delivered");
  return (recipients[channel] ?? []).filter((recipient) => {
    const known = messages.find(
      (dispatch) => dispatch.transport === channel && dispatch.recipient === recipient,
    );
    if (known === undefined) return channelIsFresh(messages, channel) || !someoneHasIt;
    if (known.state === "refused") {
      return !someoneHasIt && Math.abs(now - known.begunAt) >= REFUSED_FOR_MS;
    }
    return known.state !== "sent" && known.state !== "delivered";
  });
}

/** A number that was added to the settings later gets no application that others already have. */
function channelIsFresh(messages: readonly Message[], channel: Channel): boolean {
  return messages.every(({ transport }) => transport !== channel);
}

function reasonToWait(situation: Situation, channels: Channel[]) {
  const { messages } = situation;
  if (messages.some(({ state }) => state === "unknown")) return "unknown";
  const allRefused = channels.every(
    (channel) =>
      messages.some(({ transport, state }) => transport === channel && state === "refused") &&
      openRecipients(situation, channel).length === 0,
  );
  return allRefused ? "refused" : "waiting";
}
