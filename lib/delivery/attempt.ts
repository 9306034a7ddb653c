/** One attempt: asks the provider about a message, or sends the message, and records the answer. */
import { SECOND } from "#lib/application/durations.ts";
import type { Channel } from "#lib/channels/channel.ts";
import type { DeliveryDeps } from "#lib/delivery/deps.ts";
import { composeMessage } from "#lib/delivery/notice.ts";
import type { DeliveryQueue } from "#lib/delivery/queue.ts";
import { attemptTimeoutMs } from "#lib/delivery/retry.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Answer, Fault, SearchAnswer } from "#lib/storage/outcomes.ts";
import { providerIds } from "#lib/storage/queries/messages.ts";
import type { NoticeWithMessages } from "#lib/storage/queries/notices.ts";
import type { Message } from "#lib/storage/tables.ts";

/** Pause before a failed write of an answer is repeated. */
const RECORD_RETRY_PAUSE_MS = 4 * SECOND;
/** Pause after a failed read. Without it the loop, which the attempt's end wakes, would start the message again. */
const READ_RETRY_PAUSE_MS = 4 * SECOND;

interface AttemptDeps extends DeliveryDeps {
  queue: DeliveryQueue;
  /** Aborts when the grace period of a stop is over. */
  cutOff: AbortSignal;
}

/** Never throws. True if the attempt met a fault. */
export async function attemptMessage(message: Message, deps: AttemptDeps): Promise<boolean> {
  const { store, channels, cutOff, pause } = deps;
  try {
    const channel = channels[message.channel];
    const found = await store.findNotice(message.noticeId);
    if (!channel || !found) return false;
    const signal = AbortSignal.any([cutOff, AbortSignal.timeout(attemptTimeoutMs(channel))]);
    const answer = await askOrSend(channel, message, found, signal, deps);
    return answer !== undefined && (await recordUntilStored(message, answer, deps));
  } catch (err) {
    // The store has already logged a StorageUnavailable.
    if (err instanceof StorageUnavailable) {
      await pause(READ_RETRY_PAUSE_MS, cutOff);
      return true;
    }
    log.error({ err }, "an attempt failed unexpectedly");
    return recordUntilStored(message, { outcome: "not-sent", fault: UNEXPECTED_FAULT }, deps);
  }
}

/** Undefined if the message was not sent, because it is not needed or not allowed now. */
function askOrSend(
  channel: Channel,
  message: Message,
  found: NoticeWithMessages,
  signal: AbortSignal,
  deps: AttemptDeps,
): Promise<SearchAnswer | undefined> {
  const { state, recipient, providerId = "", begunAt = 0 } = message;
  const { statusChecks } = channel;
  if (statusChecks && state === "accepted") return statusChecks.fetchStatus(providerId, signal);
  if (!statusChecks || state !== "unsure") return sendCopy(channel, message, found, signal, deps);
  const { notice, messages } = found;
  const exceptIds = providerIds(messages);
  const query = { applicationId: notice.applicationId ?? "", recipient, begunAt, exceptIds };
  return statusChecks.searchForMessage(query, signal);
}

async function sendCopy(
  channel: Channel,
  message: Message,
  found: NoticeWithMessages,
  signal: AbortSignal,
  deps: AttemptDeps,
): Promise<Answer | undefined> {
  const { queue } = deps;
  const { recipient, noticeId } = message;
  const content = await composeMessage(found, message, deps);
  if (content === undefined) {
    await queue.cancel(noticeId);
    return undefined;
  }
  const copy = { segments: channel.segments(content), isShortened: channel.isShortened(content) };
  /** False: not needed or not allowed. Undefined: not asked yet, the write failed, or another worker has the lease. */
  let isBegun: boolean | undefined;
  const beforeTransmit = async () => {
    // A write that failed may have been committed. Nothing is sent then, and the answer `not-sent` undoes the write.
    isBegun = await queue.begin(message, copy).catch((err: unknown) => {
      if (!(err instanceof StorageUnavailable)) log.error({ err }, "a copy could not be recorded");
      return undefined;
    });
    return isBegun === true;
  };
  const answer = await channel
    .transmit(content, recipient, { signal, beforeTransmit })
    .catch((err: unknown) => {
      log.error({ err }, "a channel failed unexpectedly");
      return { outcome: isBegun ? "unknown" : "not-sent", fault: UNEXPECTED_FAULT } as const;
    });
  // The queue did not allow the copy, for example because of a cap. Nothing was sent, and nothing failed.
  return isBegun === false ? undefined : answer;
}

/** Repeats a failed write until it succeeds or `cutOff` aborts. True if a fault was recorded, or no write succeeded. */
async function recordUntilStored(
  message: Message,
  answer: SearchAnswer,
  { queue, pause, cutOff }: AttemptDeps,
): Promise<boolean> {
  // An attempt that our own stop has aborted did not fail, so its fault is dropped.
  const answerToRecord = cutOff.aborted ? { ...answer, fault: undefined } : answer;
  for (;;) {
    try {
      const recorded = await queue.record(message, answerToRecord);
      if (recorded) logAnswer(recorded, answerToRecord.outcome);
      return typeof recorded?.error === "string";
    } catch (err) {
      if (cutOff.aborted) {
        log.error({ err }, "could not record an answer before the process ends");
        return true;
      }
      if (!(err instanceof StorageUnavailable))
        log.error({ err }, "could not record an answer, retrying");
      await pause(RECORD_RETRY_PAUSE_MS, cutOff);
    }
  }
}

const UNEXPECTED_FAULT: Fault = {
  error: "the channel failed unexpectedly, see the log",
  advice: "프로그램 오류로 보내지 못했습니다. 로그를 개발자에게 알려 주세요.",
  about: "message",
};

type Recorded = NonNullable<Awaited<ReturnType<DeliveryQueue["record"]>>>;

function logAnswer({ notice, message, error }: Recorded, outcome: SearchAnswer["outcome"]): void {
  const { kind, applicationId, state } = notice;
  const { channel, tries, nextAt } = message;
  const isUnderWay = state === "open" || state === "sent";
  const what = error === null ? state : "failed";
  const next = isUnderWay ? `, next attempt at ${new Date(nextAt ?? 0).toISOString()}` : "";
  log[state === "given-up" || error !== null ? "warn" : "info"](
    { kind, applicationId, state, tries, channel, outcome, error: error ?? undefined },
    `delivery ${isUnderWay ? `${what}${next}` : state}`,
  );
}
