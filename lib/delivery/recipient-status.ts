import type { ChannelName } from "#lib/channels/names.ts";
import {
  MOST_COPIES,
  nextTextSearchAt,
  repeatMailAt,
  retryRejectedAt,
} from "#lib/delivery/retry.ts";
import type { Attempt } from "#lib/storage/queries/attempts.ts";
import { isReached } from "#lib/storage/queries/outcomes.ts";

export const NEVER = Number.POSITIVE_INFINITY;

export interface RecipientStatus {
  recipient: string;
  isAttempted: boolean;
  /** The recipient or a provider has the message. */
  hasIt: boolean;
  /** True if another channel may send at once: the recipient rejects the message, or no tries are left. */
  needsOtherChannel: boolean;
  /** Earliest time of the next attempt: now, later, or NEVER. */
  nextAttemptAt: number;
}

/** The facts of a message that all of its recipients share. */
export interface AttemptHistory {
  attempts: readonly Attempt[];
  now: number;
  steadySince: number;
  /** Time of the next try. `isTryDue`: a try was due when this run began. */
  retryAt: number;
  isTryDue: boolean;
  isExhausted: boolean;
  /** Channels whose provider can be asked whether it has a message. */
  askable: readonly ChannelName[];
  /** False for alarms and summaries, for which an unknown outcome counts as success. */
  mayRepeat: boolean;
}

export function recipientStatus(
  history: AttemptHistory,
  channel: ChannelName,
  recipient: string,
): RecipientStatus {
  const { attempts, now, steadySince, isExhausted, mayRepeat, retryAt, askable } = history;
  const own = attempts.filter((each) => each.channel === channel && each.recipient === recipient);
  const last = own.at(-1);
  const status = {
    recipient,
    isAttempted: last !== undefined,
    hasIt: false,
    needsOtherChannel: false,
  };
  if (last === undefined) return { ...status, nextAttemptAt: now };
  const isDoubtful = last.outcome === "sending" || last.outcome === "unknown";
  if (isReached(last.outcome) || (isDoubtful && !mayRepeat)) {
    return { ...status, hasIt: true, nextAttemptAt: NEVER };
  }
  if (isDoubtful && askable.includes(channel)) {
    // A second message is sent only after a status check that did not find the first one.
    if (isExhausted) return { ...status, needsOtherChannel: true, nextAttemptAt: NEVER };
    const checkAt = nextTextSearchAt({ begunAt: last.begunAt, steadySince, now });
    return { ...status, nextAttemptAt: checkAt ?? Math.max(retryAt, now + 1) };
  }
  const hasAllCopies = own.filter(isCopy).length >= MOST_COPIES;
  if (hasAllCopies || (isExhausted && !isDoubtful)) {
    return { ...status, needsOtherChannel: true, nextAttemptAt: NEVER };
  }
  const nextAttemptAt = isDoubtful ? repeatMailAt(last.begunAt, now) : retryFailedAt(last, history);
  return {
    ...status,
    needsOtherChannel: last.outcome === "rejected" && nextAttemptAt > now,
    nextAttemptAt,
  };
}

/** A message that was sent, may have been sent, or was paid for. */
const isCopy = ({ segments, outcome }: Attempt) =>
  segments > 0 || (outcome !== "not-sent" && outcome !== "rejected");

/** Time of the next attempt after a failed one: at the next try, or now if what failed has recovered. */
function retryFailedAt(last: Attempt, { now, retryAt, isTryDue }: AttemptHistory): number {
  const { outcome, about, recovered, segments, notBefore = now, endedAt = last.begunAt } = last;
  const neverLeft = segments === 0;
  if (recovered && (neverLeft || about === "channel") && notBefore <= now) return now;
  const allowedAt = outcome === "rejected" ? retryRejectedAt(endedAt, now, !neverLeft) : now;
  return isTryDue && allowedAt <= now ? now : Math.max(retryAt, allowedAt, now + 1);
}
