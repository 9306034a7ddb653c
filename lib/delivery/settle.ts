/** The rule of a notice: its next state, from the states of its messages. Pure. */
import { MINUTE } from "#lib/application/durations.ts";
import { elapsedMs, FAILOVER_AFTER_MS, USUAL_ANSWER_TIME_MS } from "#lib/delivery/retry.ts";
import {
  DONE_SENDING,
  isAcceptedOrDelivered,
  isIn,
  NEEDS_OTHER_CHANNEL,
  type NoticeState,
  REFUSED_OR_ENDED,
  SENDABLE_MESSAGES,
} from "#lib/storage/outcomes.ts";
import type { Message, MessageChange, NoticeRow } from "#lib/storage/tables.ts";

export interface Settlement {
  state: NoticeState;
  /** The messages that are no longer needed, or due at another time now. */
  changed?: { messages: readonly Message[]; to: MessageChange } | undefined;
}

/** `failingSince`: time since which the preferred channel has failed, with this notice or with others. */
export function settle(
  { preferredChannel }: Pick<NoticeRow, "preferredChannel">,
  messages: readonly Message[],
  { now, failingSince }: { now: number; failingSince: number | undefined },
): Settlement {
  const hasMessageOn = (channel: Message["channel"]) =>
    messages.some((each) => each.channel === channel);
  // If the preferred channel is not configured, the other one counts as preferred.
  const leadingChannel = hasMessageOn(preferredChannel) ? preferredChannel : messages[0]?.channel;
  const preferred = messages.filter(({ channel }) => channel === leadingChannel);
  const reserve = messages.filter(({ channel }) => channel !== leadingChannel);
  const stillToSend = messages.filter(({ state }) => !isIn(DONE_SENDING, state));
  if (isOwnerReached(preferred, reserve, stillToSend))
    return settleReached(messages, stillToSend, now);
  if (stillToSend.length === 0) return { state: "given-up" };
  return { state: "open", changed: scheduleReserve(preferred, reserve, { now, failingSince }) };
}

/**
 * True if the notice has reached anybody on the other channel, or everybody on the preferred one. Somebody on the
 * preferred channel is enough once no message is still to be sent.
 */
function isOwnerReached(
  preferred: readonly Message[],
  reserve: readonly Message[],
  stillToSend: readonly Message[],
): boolean {
  if (reserve.some(isAcceptedOrDelivered)) return true;
  if (!preferred.some(isAcceptedOrDelivered)) return false;
  // Without another channel, a refused message does not keep the notice open once another recipient has it.
  const isAlone = reserve.length === 0;
  const hasItOrIsRefused = (each: Message) =>
    isAcceptedOrDelivered(each) || (isAlone && isIn(REFUSED_OR_ENDED, each.state));
  return stillToSend.length === 0 || preferred.every(hasItOrIsRefused);
}

/** A shortened text is followed by a mail with the full text. */
function settleReached(
  messages: readonly Message[],
  stillToSend: readonly Message[],
  now: number,
): Settlement {
  const reached = messages.filter(isAcceptedOrDelivered);
  const mails = stillToSend.filter(({ channel }) => channel === "mail");
  const isShortened = reached.every((each) => each.isShortened === 1);
  if (isShortened && mails.length > 0)
    return { state: "open", changed: { messages: mails.filter(isUntried), to: { nextAt: now } } };
  // A provider may still fail, so the other messages stay in reserve.
  if (reached.some(({ state }) => state === "accepted")) return { state: "sent" };
  const isFiled = reached.every(({ channel }) => channel === "file");
  // A message that is being sent keeps its state, so that its answer counts as one about a copy that was begun.
  const needless = stillToSend.filter(({ state }) => isIn(SENDABLE_MESSAGES, state));
  return {
    state: isFiled ? "filed" : "done",
    changed: { messages: needless, to: { state: "ended" } },
  };
}

/** The other channel sends at once if a message is refused, ended or capped, or after FAILOVER_AFTER_MS of failures. */
function scheduleReserve(
  preferred: readonly Message[],
  reserve: readonly Message[],
  { now, failingSince = now }: { now: number; failingSince: number | undefined },
): Settlement["changed"] {
  const messages = reserve.filter(isUntried);
  if (preferred.some(({ state }) => isIn(NEEDS_OTHER_CHANNEL, state)))
    return { messages, to: { nextAt: now } };
  const inDoubt = preferred.filter(({ state }) => state === "unsure");
  const failed = [
    ...preferred.map((each) => each.failingSince),
    ...inDoubt.map((each) => each.begunAt),
  ];
  const times = failed.filter((time) => time !== undefined);
  if (times.length === 0) return undefined;
  const at = Math.min(...times, failingSince) + FAILOVER_AFTER_MS;
  // A minute later for a message in doubt, so that a search or a repeat in the same minute comes first.
  return { messages, to: { nextAt: inDoubt.length > 0 ? at + MINUTE : at } };
}

/** True if the other channel has just begun to send, or is about to: this message may not be needed in a moment. */
export function isAnswerNear(
  { channel }: Message,
  { preferredChannel }: Pick<NoticeRow, "preferredChannel">,
  messages: readonly Message[],
  now: number,
): boolean {
  const isNow = (at: number) => at <= now && elapsedMs(at, now) < USUAL_ANSWER_TIME_MS;
  return messages.some((each) => {
    if (each.channel === channel) return false;
    if (each.state === "sending") return isNow(each.begunAt ?? now);
    const isPreferred = each.channel === preferredChannel;
    return isPreferred && isIn(SENDABLE_MESSAGES, each.state) && isNow(each.nextAt);
  });
}

/** Nothing has been sent or tried yet. */
export const isUntried = ({ state, tries, copies }: Message) =>
  state === "waiting" && tries === 0 && copies === 0;
