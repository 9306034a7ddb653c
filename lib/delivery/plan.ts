/** What to do next with a delivery, from what is known of it. Pure. */
import type { Carrier, Channel, Dispatch } from "#lib/storage/store.ts";

const MINUTE = 60_000;
/** A channel that has failed for this long is no longer waited for, where there is another. */
export const FAILOVER_AFTER_MS = 15 * MINUTE;
/** What was refused is tried again after this: a person may have mended it. */
const REFUSED_FOR_MS = 29 * MINUTE;

/** Which carriers may take a delivery, in order: its own channel, then the other, else the file. */
function carriersFor(
  channel: Channel,
  isConfigured: (channel: Channel) => boolean,
): [Carrier, ...Channel[]] {
  const inOrder: Channel[] = channel === "sms" ? ["sms", "mail"] : ["mail", "sms"];
  const [first, ...rest] = inOrder.filter(isConfigured);
  return first === undefined ? ["file"] : [first, ...rest];
}

export interface Situation {
  /** The channel of its form. */
  channel: Channel;
  /** The owner's numbers and addresses, for the channels that are configured. */
  recipients: Partial<Record<Channel, readonly string[]>>;
  dispatches: readonly Dispatch[];
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
  | { step: "follow"; dispatches: Dispatch[] }
  | {
      step: "send";
      carrier: Channel;
      recipients: string[];
      /** The channel that it stands in for. */
      insteadOf: Channel | undefined;
    }
  /** The owner has it, by this carrier. */
  | { step: "done"; carrier: Channel }
  /** Not now; `refused` when every way said no. */
  | { step: "wait"; because: "waiting" | "refused" | "unknown" };

export function nextStep(situation: Situation): Step {
  const { channel, recipients, dispatches, tried } = situation;
  const [first, second] = carriersFor(channel, (name) => recipients[name] !== undefined);
  if (first === "file") return { step: "file" };
  const sent = dispatches.filter(({ state }) => state === "sent");
  if (sent.length > 0 && !situation.followed) return { step: "follow", dispatches: sent };

  if (second && hasIt(dispatches, second)) return { step: "done", carrier: second };
  const openFirst = openRecipients(situation, first);
  if (openFirst.length > 0 && !tried.has(first)) {
    const insteadOf = first === channel ? undefined : channel;
    return { step: "send", carrier: first, recipients: openFirst, insteadOf };
  }
  const refused = dispatches.some(({ carrier, state }) => carrier === first && state === "refused");
  if (openFirst.length === 0 && hasIt(dispatches, first) && (!refused || !second)) {
    return { step: "done", carrier: first };
  }
  if (second && !tried.has(second) && (refused || hasFailedLong(situation))) {
    const open = openRecipients(situation, second);
    if (open.length > 0) {
      return { step: "send", carrier: second, recipients: open, insteadOf: first };
    }
  }
  return { step: "wait", because: reasonToWait(situation, [first, ...(second ? [second] : [])]) };
}

function hasIt(dispatches: readonly Dispatch[], on: Channel): boolean {
  return dispatches.some(
    ({ carrier, state }) => carrier === on && (state === "sent" || state === "delivered"),
  );
}

function hasFailedLong({ failingSince, now }: Situation): boolean {
  return failingSince !== undefined && now - failingSince >= FAILOVER_AFTER_MS;
}

/** The recipients who could still get it on a channel. */
function openRecipients({ recipients, dispatches, now }: Situation, channel: Channel): string[] {
  const someoneHasIt = dispatches.some(({ state }) => state === "sent" || state === "delivered");
  return (recipients[channel] ?? []).filter((recipient) => {
    const known = dispatches.find(
      (dispatch) => dispatch.carrier === channel && dispatch.recipient === recipient,
    );
    if (known === undefined) return channelIsFresh(dispatches, channel) || !someoneHasIt;
    if (known.state === "refused") {
      return !someoneHasIt && Math.abs(now - known.begunAt) >= REFUSED_FOR_MS;
    }
    return known.state !== "sent" && known.state !== "delivered";
  });
}

/** A number that was added to the settings later gets no application that others already have. */
function channelIsFresh(dispatches: readonly Dispatch[], channel: Channel): boolean {
  return dispatches.every(({ carrier }) => carrier !== channel);
}

function reasonToWait(situation: Situation, channels: Channel[]) {
  const { dispatches } = situation;
  if (dispatches.some(({ state }) => state === "unknown")) return "unknown";
  const allRefused = channels.every(
    (channel) =>
      dispatches.some(({ carrier, state }) => carrier === channel && state === "refused") &&
      openRecipients(situation, channel).length === 0,
  );
  return allRefused ? "refused" : "waiting";
}
