/** What to do next with a delivery, from what is known of it. Pure. */
import { type Message, MOST_MAIL_COPIES, type Transport } from "#lib/application/delivery.ts";
import type { Channel } from "#lib/application/stored-application.ts";
import { FAILOVER_AFTER_MS, REFUSED_FOR_MS, REPEAT_MAIL_AFTER_MS } from "#lib/delivery/retry.ts";

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
  /** The channels that this attempt has tried, or found without a free place. */
  tried: ReadonlySet<Channel>;
  /** When the failures of its first channel began. */
  failingSince: number | undefined;
  /** The process that was sending it has ended: what that process may have mailed is repeated at once. */
  resumed: boolean;
  /** A text message leaves out some of it: the whole goes out by mail too. */
  shortened: boolean;
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
      /** The owner has a shortened one already. */
      whole: boolean;
    }
  /** The owner has it, by this transport. */
  | { step: "done"; transport: Channel }
  /** Not now; `refused` when every channel refused. `until`: nothing can be tried before that time. */
  | { step: "wait"; because: "waiting" | "refused" | "unknown"; until?: number | undefined }
  /** Nothing may be tried any more: two mails may be out, and there is no other channel. */
  | { step: "give-up" };

export function nextStep(situation: Situation): Step {
  const { channel, recipients, messages, tried } = situation;
  const [first, second] = transportsFor(channel, (name) => recipients[name] !== undefined);
  if (first === "file") return { step: "file" };
  const sent = messages.filter(({ state }) => state === "sent");
  if (sent.length > 0 && !situation.followed) return { step: "follow", messages: sent };

  if (second && hasIt(messages, second)) return doneBy(second, situation, first);
  const openFirst = openRecipients(situation, first);
  if (openFirst.length > 0 && !tried.has(first)) {
    const insteadOf = first === channel ? undefined : channel;
    return { step: "send", transport: first, recipients: openFirst, insteadOf, whole: false };
  }
  const lacking = messages.some(
    (message) => message.transport === first && (message.state === "refused" || isSpent(message)),
  );
  const inDoubt = first === "mail" && mailRepeatAt(messages, situation.now) !== undefined;
  if (openFirst.length === 0 && hasIt(messages, first) && !inDoubt && (!lacking || !second)) {
    return doneBy(first, situation, second);
  }
  if (second && !tried.has(second) && (lacking || hasFailedLong(situation))) {
    const open = openRecipients(situation, second);
    if (open.length > 0) {
      return { step: "send", transport: second, recipients: open, insteadOf: first, whole: false };
    }
  }
  if (!second && lacking && isOver(situation, first)) return { step: "give-up" };
  return waitStep(situation, [first, ...(second ? [second] : [])]);
}

/** The owner has it. A mail with the whole follows a shortened text message, when mail works. */
function doneBy(transport: Channel, situation: Situation, other: Channel | undefined): Step {
  const done = { step: "done", transport } as const;
  const { messages, now, tried } = situation;
  if (!situation.shortened || transport !== "sms" || other !== "mail") return done;
  const mails = messages.filter((message) => message.transport === "mail");
  const firstTry = Math.min(now, ...mails.map(({ begunAt }) => begunAt));
  if (hasIt(messages, "mail") || now - firstTry >= FAILOVER_AFTER_MS) return done;
  if (mails.some((message) => message.state === "refused" || message.state === "unknown")) {
    return done;
  }
  const recipients = [...(situation.recipients.mail ?? [])];
  if (tried.has("mail")) return { step: "wait", because: "waiting" };
  return { step: "send", transport: "mail", recipients, insteadOf: undefined, whole: true };
}

function hasIt(messages: readonly Message[], on: Channel): boolean {
  return messages.some(
    ({ transport, state }) => transport === on && (state === "sent" || state === "delivered"),
  );
}

function hasFailedLong({ failingSince, now }: Situation): boolean {
  return failingSince !== undefined && now - failingSince >= FAILOVER_AFTER_MS;
}

/** As many mails as allowed may have gone out, and none is known to have arrived. */
export function isSpent({ transport, state, copies }: Message): boolean {
  return transport === "mail" && copies >= MOST_MAIL_COPIES && state !== "delivered";
}

/** The recipients who could still get it on a channel. */
function openRecipients(situation: Situation, channel: Channel): string[] {
  const { recipients, messages, now } = situation;
  const someoneHasIt = messages.some(({ state }) => state === "sent" || state === "delivered");
  return (recipients[channel] ?? []).filter((recipient) => {
    const known = messages.find(
      (message) => message.transport === channel && message.recipient === recipient,
    );
    if (known === undefined) return channelIsFresh(messages, channel) || !someoneHasIt;
    if (isSpent(known)) return false;
    switch (known.state) {
      case "sent":
      case "delivered":
        return false;
      case "refused":
        return !someoneHasIt && Math.abs(now - known.begunAt) >= REFUSED_FOR_MS;
      case "unknown":
        // Text messages are looked for before they are sent again.
        return channel === "sms" || situation.resumed || now >= repeatAt(known, now);
      default:
        return true;
    }
  });
}

/** When a mail that may have gone out is repeated; a start in the future means that the clock was set back. */
function repeatAt({ begunAt }: Message, now: number): number {
  return Math.min(begunAt, now) + REPEAT_MAIL_AFTER_MS;
}

/** When the first of the mails that may have gone out is repeated; undefined when none is. */
export function mailRepeatAt(messages: readonly Message[], now: number): number | undefined {
  const times = messages
    .filter((each) => each.transport === "mail" && each.state === "unknown" && !isSpent(each))
    .map((each) => repeatAt(each, now));
  return times.length === 0 ? undefined : Math.min(...times);
}

/** A number that was added to the settings later gets no application that others already have. */
function channelIsFresh(messages: readonly Message[], channel: Channel): boolean {
  return messages.every(({ transport }) => transport !== channel);
}

/** Whether no recipient of the only channel can get it any more. */
function isOver({ recipients, messages }: Situation, channel: Channel): boolean {
  return (recipients[channel] ?? []).every((recipient) =>
    messages.some((message) => message.recipient === recipient && isSpent(message)),
  );
}

function waitStep(situation: Situation, channels: Channel[]): Extract<Step, { step: "wait" }> {
  const { messages, now } = situation;
  const inDoubt = messages.filter((message) => message.state === "unknown" && !isSpent(message));
  if (inDoubt.length > 0) {
    // The other messages that failed are tried at times of their own.
    const others = messages.some(
      ({ transport, state }) => state === "unsent" || (state === "unknown" && transport === "sms"),
    );
    return {
      step: "wait",
      because: "unknown",
      until: others ? undefined : mailRepeatAt(messages, now),
    };
  }
  const allRefused = channels.every(
    (channel) =>
      messages.some(({ transport, state }) => transport === channel && state === "refused") &&
      openRecipients(situation, channel).length === 0,
  );
  return { step: "wait", because: allRefused ? "refused" : "waiting" };
}
