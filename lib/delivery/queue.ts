/** The queue of one worker: every change of a notice and its messages, each in one transaction of the lease. */

import { DAY } from "#lib/application/durations.ts";
import type { MessageChannel } from "#lib/channels/names.ts";
import { earliestTimeUnderCaps } from "#lib/delivery/caps.ts";
import type { DeliveryDeps } from "#lib/delivery/deps.ts";
import { isTarget, targetsFor } from "#lib/delivery/notice.ts";
import { ANSWER_WITHIN, FAILOVER_AFTER, latestPlannedTime } from "#lib/delivery/retry.ts";
import { afterAnswer, afterSearch, MAX_COPIES } from "#lib/delivery/rule.ts";
import { isAnswerNear, isUntried, settle } from "#lib/delivery/settle.ts";
import { isTooLateToSend } from "#lib/delivery/weekly.ts";
import type { DeliveryRows } from "#lib/storage/queries/messages.ts";
import type { NoticeWithMessages } from "#lib/storage/queries/notices.ts";
import {
  type Answer,
  isIn,
  isReached,
  SENDABLE,
  UNDER_WAY,
} from "#lib/storage/queries/outcomes.ts";
import type { Message, MessageChange } from "#lib/storage/tables.ts";

/** Notices that one transaction plans, so that others can write between two of them. */
const PLANNED_AT_ONCE = 50;

export type SearchAnswer = Answer | { outcome: "absent" };

/** What a copy costs, and whether a mail with everything has to follow it. */
export interface CopyTerms {
  segments: number;
  isShortened: boolean;
}

export type DeliveryQueue = ReturnType<typeof createQueue>;

export function createQueue(deps: DeliveryDeps) {
  const { store, channels, caps, holder, now, random } = deps;
  const hasChannel = channels.file === undefined;
  let hasTakenOver = false;

  const change = <Result>(work: (rows: DeliveryRows) => Promise<Result>) =>
    store.asHolder(holder, work);

  /** A new worker: outcomes may be unknown, faults may be fixed, and the settings may be others. */
  const takeOver = () =>
    change(async (rows) => {
      for (const message of await rows.sending())
        await recordAnswer(rows, message, { outcome: "unknown" });
      await rows.wakeFailed(now());
      await rows.planAnew(hasChannel, now());
    });

  /** Writes the messages that the settings of today demand, those on the preferred channel due now. */
  async function plan(rows: DeliveryRows, noticeId: number): Promise<void> {
    const found = await rows.findNotice(noticeId);
    if (found === undefined) return;
    const { notice, messages } = found;
    const targets = targetsFor(notice, channels);
    for (const { channel, recipient } of targets) {
      const nextAt = now() + (channel === targets[0]?.channel ? 0 : FAILOVER_AFTER);
      const onChannel = messages.filter((each) => each.channel === channel);
      const own = onChannel.find((each) => each.recipient === recipient);
      if (own && isUntried(own)) await rows.changeMessage(own.id, { nextAt });
      // A recipient that was added to the settings does not get what another recipient already has.
      else if (!own && !onChannel.some(isReached))
        await rows.addMessage({ noticeId, channel, recipient, nextAt });
    }
    // A provider that left the settings cannot be asked any more.
    for (const { id, channel, state } of messages)
      if (state === "accepted" && !channels[channel])
        await rows.changeMessage(id, { state: "delivered" });
    await rows.changeNotice(noticeId, { state: "open" });
    await settleNotice(rows, noticeId);
  }

  /** What left the settings is forgotten, unless it has reached the owner. */
  function countedMessages({ notice, messages }: NoticeWithMessages): Message[] {
    const targets = targetsFor(notice, channels);
    return messages.filter((each) => isTarget(targets, each) || isReached(each));
  }

  /** Returns the notice after its messages; unchanged if its delivery is over. */
  async function settleNotice(rows: DeliveryRows, noticeId: number) {
    const found = await rows.findNotice(noticeId);
    if (found === undefined || !isIn(UNDER_WAY, found.notice.state)) return found?.notice;
    const { notice } = found;
    const failingSince = await rows.findFailingSince(notice.preferredChannel);
    const terms = { now: now(), failingSince };
    const { state, ended = [], due } = settle(notice, countedMessages(found), terms);
    for (const { id } of ended) await rows.changeMessage(id, { state: "ended" });
    for (const { id, nextAt } of due?.messages ?? [])
      if (nextAt !== due?.at) await rows.changeMessage(id, { nextAt: due?.at });
    if (state === notice.state) return notice;
    const isOver = !isIn(UNDER_WAY, state);
    await rows.changeNotice(noticeId, { state, finishedAt: isOver ? now() : null });
    return { ...notice, state };
  }

  /** Returns the change, or undefined if the notice was deleted meanwhile. */
  async function recordAnswer(rows: DeliveryRows, { id, noticeId }: Message, answer: SearchAnswer) {
    const found = await rows.findNotice(noticeId);
    const message = found?.messages.find((each) => each.id === id);
    if (found === undefined || message === undefined) return undefined;
    const { channel, recipient } = message;
    const terms = {
      ...{ now: now(), random: random(), mayRepeat: found.notice.kind === "application" },
      isCheckable: channels[channel]?.statusChecks !== undefined,
      hasOther: targetsFor(found.notice, channels).some((each) => each.channel !== channel),
    };
    const changes =
      answer.outcome === "absent"
        ? afterSearch(message, terms.now)
        : afterAnswer(message, answer, terms);
    // What became needless while a connection was being made stays ended. Its fault is evidence all the same.
    const { state = message.state } = message.state === "ended" ? message : changes;
    await rows.changeMessage(id, { ...changes, state });
    if (isFree(message, changes)) await rows.dropCharge(message);
    const isSuccess = isReached({ state }) && changes.outcome && changes.outcome !== "unknown";
    const isDelivered = state === "delivered";
    const isTrusted = isDelivered && answer.outcome !== "delivered";
    const provenAt = isTrusted ? (message.begunAt ?? terms.now) - 1 : terms.now;
    if (isSuccess)
      await rows.recordRecovery({ channel, recipient, isDelivered, provenAt, now: terms.now });
    const notice = await settleNotice(rows, noticeId);
    const { error = null } = changes;
    return notice && { notice, message: { ...message, ...changes, state }, error };
  }

  return {
    /** False while another worker has the lease. */
    async acquireLease(): Promise<boolean> {
      const answer = await store.acquireLease({ holder, hasChannel });
      if (answer === "held-by-another") return false;
      if (answer === "acquired") hasTakenOver = false;
      if (!hasTakenOver) await takeOver();
      hasTakenOver = true;
      return true;
    },

    /** Plans new notices. True if more of them wait. */
    async planNew(): Promise<boolean> {
      const ids = await store.newNotices(PLANNED_AT_ONCE);
      if (ids.length === 0) return false;
      await change(async (rows) => {
        for (const id of ids) await plan(rows, id);
      });
      return ids.length === PLANNED_AT_ONCE;
    },

    due(channel: MessageChannel, exceptIds: readonly number[], limit: number): Promise<Message[]> {
      const { recipients = [] } = channels[channel] ?? {};
      const at = now();
      const latest = latestPlannedTime(at);
      return store.dueMessages({ channel, recipients, now: at, latest, exceptIds, limit });
    },

    /** The one gate before the first byte of a copy. False: it is not needed, not allowed, or not ours to send. */
    begin: ({ id, noticeId }: Message, { segments, isShortened }: CopyTerms) =>
      change(async (rows) => {
        const found = await rows.findNotice(noticeId);
        const message = found?.messages.find((each) => each.id === id);
        if (found?.notice.state !== "open" || !message || !isIn(SENDABLE, message.state))
          return false;
        const { notice } = found;
        const at = now();
        const refuse = async (changes: MessageChange) => {
          await rows.changeMessage(id, changes);
          await settleNotice(rows, noticeId);
          return false;
        };
        if (message.copies >= MAX_COPIES || isTooLateToSend(notice, at))
          return refuse({ state: "ended" });
        // What looks automated is not texted once mail is configured.
        if (!isTarget(targetsFor(notice, channels), message)) return refuse({ nextAt: at + DAY });
        const rivals = countedMessages(found);
        if (isAnswerNear(message, notice, rivals, at)) {
          await rows.changeMessage(id, { nextAt: at + ANSWER_WITHIN });
          return false;
        }
        const charge = { at, segments, suspicion: notice.suspicion };
        const allowedAt =
          segments === 0 ? at : earliestTimeUnderCaps(await rows.charges(at), charge, caps, at);
        if (allowedAt > at)
          return refuse({
            state: message.state === "waiting" ? "capped" : message.state,
            nextAt: allowedAt,
          });
        await rows.changeMessage(id, {
          ...{ state: "sending", begunAt: at, searches: 0, copies: message.copies + 1 },
          isShortened: isShortened ? 1 : 0,
        });
        if (segments > 0) await rows.addCharge(id, charge);
        return true;
      }),

    record: (message: Message, answer: SearchAnswer) =>
      change((rows) => recordAnswer(rows, message, answer)),

    /** Ends a notice that nobody needs any more. */
    cancel: (noticeId: number) =>
      change(async (rows) => {
        await rows.endMessages(noticeId);
        await rows.changeNotice(noticeId, { state: "done", finishedAt: now() });
      }),
  };
}

/** A copy that certainly was not taken costs nothing. One that its provider accepted is paid for, whatever follows. */
const isFree = (message: Message, { copies, providerId }: MessageChange) =>
  copies !== undefined && copies < message.copies && !providerId;
