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

interface SettleTerms {
  now: number;
  /** Time since which the preferred channel has failed, with this notice or with others. */
  failingSince: number | undefined;
}

export interface Settlement {
  state: NoticeState;
  /** The messages that are no longer needed, or due at another time now. */
  changed?: { messages: readonly Message[]; to: MessageChange };
}

/**
 * | who has the notice                          | next state | its other messages                          |
 * |---------------------------------------------|------------|---------------------------------------------|
 * | nobody, and nothing is still to be sent     | given-up   |                                             |
 * | nobody, or not everybody who is to have it  | open       | in reserve: due now or later, see below     |
 * | shortened texts only, and a mail can follow | open       | the mail, with the full text, is due now    |
 * | a provider, which may still fail            | sent       | stay in reserve                             |
 * | a file                                      | filed      | ended                                       |
 * | the owner                                   | done       | ended                                       |
 */
export function settle(
  { preferredChannel }: Pick<NoticeRow, "preferredChannel">,
  messages: readonly Message[],
  terms: SettleTerms,
): Settlement {
  const hasMessageOn = (channel: Message["channel"]) =>
    messages.some((each) => each.channel === channel);
  // If the preferred channel is not configured, the other one counts as preferred.
  const leadingChannel = hasMessageOn(preferredChannel) ? preferredChannel : messages[0]?.channel;
  const preferred = messages.filter(({ channel }) => channel === leadingChannel);
  const reserve = messages.filter(({ channel }) => channel !== leadingChannel);
  const stillToSend = messages.filter(({ state }) => !isIn(DONE_SENDING, state));
  if (isOwnerReached(preferred, reserve, stillToSend))
    return settleReached(messages.filter(isAcceptedOrDelivered), stillToSend, terms);
  if (stillToSend.length === 0) return { state: "given-up" };
  const nextAt = reserveDueAt(preferred, terms);
  if (nextAt === undefined) return { state: "open" };
  return { state: "open", changed: { messages: reserve.filter(isUntried), to: { nextAt } } };
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

function settleReached(
  reached: readonly Message[],
  stillToSend: readonly Message[],
  { now }: SettleTerms,
): Settlement {
  const mails = stillToSend.filter(({ channel }) => channel === "mail");
  if (mails.length > 0 && reached.every(({ isShortened }) => isShortened === 1))
    return { state: "open", changed: { messages: mails.filter(isUntried), to: { nextAt: now } } };
  if (reached.some(({ state }) => state === "accepted")) return { state: "sent" };
  // A message that is being sent keeps its state, so that its answer counts as one about a copy that was begun.
  const needless = stillToSend.filter(({ state }) => isIn(SENDABLE_MESSAGES, state));
  const state = reached.every(({ channel }) => channel === "file") ? "filed" : "done";
  return { state, changed: { messages: needless, to: { state: "ended" } } };
}

/** Now if a message is refused, ended or capped; after FAILOVER_AFTER_MS of failures. Undefined: nothing has failed. */
function reserveDueAt(
  preferred: readonly Message[],
  { now, failingSince = now }: SettleTerms,
): number | undefined {
  if (preferred.some(({ state }) => isIn(NEEDS_OTHER_CHANNEL, state))) return now;
  const inDoubt = preferred.filter(({ state }) => state === "unsure");
  const failed = [
    ...preferred.map((each) => each.failingSince),
    ...inDoubt.map(({ begunAt }) => begunAt),
  ];
  const times = failed.filter((time) => time !== undefined);
  if (times.length === 0) return undefined;
  const at = Math.min(...times, failingSince) + FAILOVER_AFTER_MS;
  // A minute later for a message in doubt, so that a search or a repeat in the same minute comes first.
  return inDoubt.length > 0 ? at + MINUTE : at;
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
