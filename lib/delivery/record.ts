/** Writes what an answer changes: the message and its charge, the faults of the channel, and the notice. */
import type { ProviderChannel } from "#lib/channels/names.ts";
import type { DeliveryDeps } from "#lib/delivery/deps.ts";
import { isTarget, targetsFor } from "#lib/delivery/notice.ts";
import { afterAnswer } from "#lib/delivery/rule.ts";
import { settle } from "#lib/delivery/settle.ts";
import {
  type Answer,
  isAcceptedOrDelivered,
  isIn,
  NOTICES_UNDER_WAY,
  SENDABLE_MESSAGES,
  type SearchAnswer,
} from "#lib/storage/outcomes.ts";
import { readFaultTimes, recordRecovery, type Success } from "#lib/storage/queries/evidence.ts";
import { addCharge, addMessage, changeMessage, dropCharge } from "#lib/storage/queries/messages.ts";
import {
  addNotice,
  changeNotice,
  endMessages,
  findNotice,
  type NoticeWithMessages,
} from "#lib/storage/queries/notices.ts";
import type { Message, MessageChange, Trx } from "#lib/storage/tables.ts";

/** A message of `test-send` to one recipient, and its last answer. */
export interface TestMessage {
  recipient: string;
  segments: number;
  answer: Answer;
}

export function createRecorder({
  channels,
  now,
  random,
}: Pick<DeliveryDeps, "channels" | "now" | "random">) {
  /** The messages that a settlement looks at: those to the current recipients, and those that reached somebody. */
  function countedMessages({ notice, messages }: NoticeWithMessages): Message[] {
    const targets = targetsFor(notice, channels);
    return messages.filter((each) => isTarget(targets, each) || isAcceptedOrDelivered(each));
  }

  /** Settles a notice and returns it; unchanged if its delivery is over. */
  async function settleNotice(trx: Trx, noticeId: number) {
    const found = await findNotice(trx, noticeId);
    if (found === undefined || !isIn(NOTICES_UNDER_WAY, found.notice.state)) return found?.notice;
    const { notice } = found;
    const { failingSince } = await readFaultTimes(trx, notice.preferredChannel);
    const terms = { now: now(), failingSince };
    const { state, changed } = settle(notice, countedMessages(found), terms);
    for (const { id } of changed?.messages ?? []) await changeMessage(trx, id, changed?.to ?? {});
    if (state === notice.state) return notice;
    const isOver = !isIn(NOTICES_UNDER_WAY, state);
    await changeNotice(trx, noticeId, { state, finishedAt: isOver ? now() : null });
    return { ...notice, state };
  }

  /** `asked`: the row before the attempt. Returns the change; undefined if nothing is left that the answer is about. */
  async function recordAnswer(trx: Trx, asked: Message, answer: SearchAnswer) {
    const { id, noticeId } = asked;
    const found = await findNotice(trx, noticeId);
    const message = found?.messages.find((each) => each.id === id);
    // The notice was deleted, or its message restarted.
    if (found === undefined || message === undefined || isRestarted(asked, message))
      return undefined;
    const { channel } = message;
    const terms = {
      now: now(),
      random: random(),
      mayRepeat: found.notice.kind === "application",
      isCheckable: channels[channel]?.statusChecks !== undefined,
      hasOtherChannel: targetsFor(found.notice, channels).some((each) => each.channel !== channel),
    };
    const changes = afterAnswer(message, answer, terms);
    // A message that is no longer needed is not tried again. Its fault counts as evidence all the same.
    const isNeedless = !isIn(NOTICES_UNDER_WAY, found.notice.state);
    const { state: next = message.state } = changes;
    const state = isNeedless && isIn(SENDABLE_MESSAGES, next) ? "ended" : next;
    await changeMessage(trx, id, { ...changes, state });
    if (isUncharged(message, changes)) await dropCharge(trx, message);
    const success = findSuccess({ ...message, state }, changes, answer, terms.now);
    if (success) await recordRecovery(trx, success);
    const notice = await settleNotice(trx, noticeId);
    const { error = null } = changes;
    return notice && { notice, message: { ...message, ...changes, state }, error };
  }

  /** Records the messages of `test-send`, which count under the caps, and as evidence for or against their channel. */
  async function recordTest(trx: Trx, channel: ProviderChannel, tests: readonly TestMessage[]) {
    const at = now();
    const noticeId = await addNotice(trx, {
      kind: "test",
      topic: "",
      preferredChannel: channel,
      state: "done",
      enqueuedAt: at,
      finishedAt: at,
    });
    const sent = { noticeId, channel, state: "sending", copies: 1, begunAt: at } as const;
    for (const { recipient, segments, answer } of tests) {
      const message = await addMessage(trx, { ...sent, recipient, nextAt: at });
      if (segments > 0) await addCharge(trx, message.id, { at, segments, suspicion: undefined });
      await recordAnswer(trx, message, answer);
    }
    await endMessages(trx, noticeId);
  }

  return { countedMessages, settleNotice, recordAnswer, recordTest };
}

/** What the answer proves of the channel. Undefined if the answer is no success, or says nothing new. */
function findSuccess(
  { channel, recipient, state, begunAt }: Message,
  { outcome }: MessageChange,
  answer: SearchAnswer,
  now: number,
): Success | undefined {
  if (!isAcceptedOrDelivered({ state }) || !outcome || outcome === "unknown") return undefined;
  const isDelivered = state === "delivered";
  // A text that is only assumed to have arrived says nothing about faults after the text was begun.
  const isAssumed = isDelivered && answer.outcome !== "delivered";
  const provenAt = isAssumed ? (begunAt ?? now) - 1 : now;
  return { channel, recipient, isDelivered, provenAt, now };
}

/** A resend has restarted a message while its provider was asked: the answer is about an earlier copy. */
const isRestarted = ({ state }: Message, message: Message) =>
  message.state === "waiting" && (state === "accepted" || state === "unsure");

/** A copy that its provider certainly did not take costs nothing. An accepted one is paid for, whatever follows. */
const isUncharged = (message: Message, { copies, providerId }: MessageChange) =>
  copies !== undefined && copies < message.copies && !providerId;
