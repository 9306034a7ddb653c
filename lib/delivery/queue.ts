/** The queue of one worker: what the worker plans, begins, records and cancels, in transactions that need the lease. */

import { DAY } from "#lib/application/durations.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import { earliestTimeUnderCaps } from "#lib/delivery/caps.ts";
import type { DeliveryDeps } from "#lib/delivery/deps.ts";
import { isTarget, targetsFor } from "#lib/delivery/notice.ts";
import { createRecorder } from "#lib/delivery/record.ts";
import { FAILOVER_AFTER_MS, latestDueTime, USUAL_ANSWER_TIME_MS } from "#lib/delivery/retry.ts";
import { MAX_COPIES } from "#lib/delivery/rule.ts";
import { isAnswerNear, isUntried } from "#lib/delivery/settle.ts";
import { isTooLateToSend } from "#lib/delivery/weekly.ts";
import { isIn, SENDABLE_MESSAGES, type SearchAnswer } from "#lib/storage/outcomes.ts";
import { makeFailedDue } from "#lib/storage/queries/evidence.ts";
import {
  addCharge,
  addMessage,
  type Charge,
  changeMessage,
  listCharges,
  listSending,
} from "#lib/storage/queries/messages.ts";
import {
  changeNotice,
  endMessages,
  findNotice,
  type NoticeWithMessages,
  returnToPlanning,
} from "#lib/storage/queries/notices.ts";
import type { Message, MessageChange, Trx } from "#lib/storage/tables.ts";

/** One transaction plans at most this many notices, so that other writes do not wait for long. */
const PLANNED_AT_ONCE = 50;

/** What a copy costs, and whether a mail with the full text has to follow it. */
export interface CopyFacts {
  segments: number;
  isShortened: boolean;
}

export type DeliveryQueue = ReturnType<typeof createQueue>;

export function createQueue(deps: DeliveryDeps) {
  const { store, channels, caps, holder, now } = deps;
  const { countedMessages, settleNotice, recordAnswer } = createRecorder(deps);
  const hasChannel = channels.file === undefined;
  let hasTakenOver = false;

  const changeAsHolder = <Result>(work: (trx: Trx) => Promise<Result>) =>
    store.asHolder(holder, work);

  /** Runs when a worker gets the lease: copies may lack an outcome, faults may be fixed, and settings may differ. */
  const takeOver = () =>
    changeAsHolder(async (trx) => {
      for (const message of await listSending(trx))
        await recordAnswer(trx, message, { outcome: "unknown" });
      await makeFailedDue(trx, now());
      await returnToPlanning(trx, hasChannel, now());
    });

  /** Writes the messages that the current settings demand. Those on the first channel of `targets` are due now. */
  async function plan(trx: Trx, noticeId: number): Promise<void> {
    const found = await findNotice(trx, noticeId);
    // The notice was deleted or closed after it was listed.
    if (found?.notice.state !== "new") return;
    const { notice, messages } = found;
    const targets = targetsFor(notice, channels);
    for (const { channel, recipient } of targets) {
      const nextAt = now() + (channel === targets[0]?.channel ? 0 : FAILOVER_AFTER_MS);
      const onChannel = messages.filter((each) => each.channel === channel);
      const own = onChannel.find((each) => each.recipient === recipient);
      if (own && isUntried(own)) await changeMessage(trx, own.id, { nextAt });
      // A recipient that was added to the settings does not get what a recipient already has. What a provider has
      // accepted for a former recipient may never arrive.
      const isReached = onChannel.some(
        (each) =>
          each.state === "delivered" || (each.state === "accepted" && isTarget(targets, each)),
      );
      if (!own && !isReached) await addMessage(trx, { noticeId, channel, recipient, nextAt });
    }
    // Nobody can ask any more about an accepted message whose channel has left the settings. Another channel sends the
    // notice, because a channel is often replaced when its messages do not arrive. Without another channel, the message
    // counts as delivered.
    for (const { id, channel, state } of messages)
      if (state === "accepted" && !channels[channel])
        await changeMessage(trx, id, { state: hasChannel ? "ended" : "delivered" });
    await changeNotice(trx, noticeId, { state: "open" });
    await settleNotice(trx, noticeId);
  }

  /** The change of a message whose copy is not allowed, for now or for good. Undefined if the copy is allowed. */
  async function findObstacle(
    trx: Trx,
    message: Message,
    found: NoticeWithMessages,
    charge: Charge,
  ): Promise<MessageChange | undefined> {
    const { at, segments } = charge;
    if (message.copies >= MAX_COPIES || isTooLateToSend(found.notice, at))
      return { state: "ended" };
    // The current settings no longer name this recipient for the notice, so the message is put off by a day.
    if (!countedMessages(found).includes(message)) return { nextAt: at + DAY };
    if (segments === 0) return undefined;
    const allowedAt = earliestTimeUnderCaps(await listCharges(trx, at), charge, caps, at);
    if (allowedAt <= at) return undefined;
    return { state: message.state === "waiting" ? "capped" : message.state, nextAt: allowedAt };
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

    /** Plans new notices. True if more of them may wait. */
    async planNew(): Promise<boolean> {
      const ids = await store.listNewNoticeIds(PLANNED_AT_ONCE);
      if (ids.length === 0) return false;
      await changeAsHolder(async (trx) => {
        for (const id of ids) await plan(trx, id);
      });
      return ids.length === PLANNED_AT_ONCE;
    },

    listDue(channel: ChannelName, exceptIds: readonly number[], limit: number): Promise<Message[]> {
      const { recipients = [] } = channels[channel] ?? {};
      const at = now();
      const latest = latestDueTime(at);
      return store.listDueMessages({ channel, recipients, now: at, latest, exceptIds, limit });
    },

    /**
     * The one gate before the first byte of a copy. The copy is recorded here: after a crash, the next worker takes it
     * for a copy of unknown outcome, and neither forgets it nor sends another one without a search or a pause.
     * True: recorded, may be sent. False: not needed or not allowed. Undefined: another worker has the lease.
     */
    begin: ({ id, noticeId }: Message, { segments, isShortened }: CopyFacts) =>
      changeAsHolder(async (trx) => {
        const found = await findNotice(trx, noticeId);
        const message = found?.messages.find((each) => each.id === id);
        if (found?.notice.state !== "open" || !message || !isIn(SENDABLE_MESSAGES, message.state))
          return false;
        const at = now();
        if (isAnswerNear(message, found.notice, countedMessages(found), at)) {
          // The message waits for the other channel's answer. Settling its notice could make the message due at once.
          await changeMessage(trx, id, { nextAt: at + USUAL_ANSWER_TIME_MS });
          return false;
        }
        const charge = { at, segments, suspicion: found.notice.suspicion };
        const withheld = await findObstacle(trx, message, found, charge);
        if (withheld) {
          await changeMessage(trx, id, withheld);
          await settleNotice(trx, noticeId);
          return false;
        }
        await changeMessage(trx, id, {
          state: "sending",
          begunAt: at,
          searches: 0,
          copies: message.copies + 1,
          isShortened: isShortened ? 1 : 0,
        });
        if (segments > 0) await addCharge(trx, id, charge);
        return true;
      }),

    record: (message: Message, answer: SearchAnswer) =>
      changeAsHolder((trx) => recordAnswer(trx, message, answer)),

    /** Ends a notice that nobody needs any more. */
    cancel: (noticeId: number) =>
      changeAsHolder(async (trx) => {
        await endMessages(trx, noticeId);
        await changeNotice(trx, noticeId, { state: "done", finishedAt: now() });
      }),
  };
}
