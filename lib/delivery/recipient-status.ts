import type { ChannelName } from "#lib/channels/names.ts";
import { nextTextSearchAt, repeatMailAt, retryRejectedAt } from "#lib/delivery/retry.ts";
import type { Attempt } from "#lib/storage/queries/attempts.ts";
import { isDoubtful, isReached } from "#lib/storage/queries/outcomes.ts";

export const NEVER = Number.POSITIVE_INFINITY;
/** Limit of copies of a message to one recipient. */
export const MOST_COPIES = 2;

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
  checkable: readonly ChannelName[];
  /** False for alarms and summaries, for which an unknown outcome counts as success. */
  mayRepeat: boolean;
}

/** `hasIt`: the recipient or a provider has the message. `needsOtherChannel`: another channel may send at once. */
export function recipientStatus(history: AttemptHistory, channel: ChannelName, recipient: string) {
  const { attempts, now, mayRepeat } = history;
  const own = attempts.filter((each) => each.channel === channel && each.recipient === recipient);
  const { outcome } = own.at(-1) ?? {};
  const isAttempted = outcome !== undefined;
  const hasIt = isAttempted && (isReached(outcome) || (isDoubtful(outcome) && !mayRepeat));
  const nextAttemptAt = hasIt ? NEVER : nextAttemptTime(own, history);
  const isRefused = outcome === "rejected" && nextAttemptAt > now;
  const needsOtherChannel = !hasIt && (isRefused || nextAttemptAt === NEVER);
  return { recipient, isAttempted, hasIt, needsOtherChannel, nextAttemptAt };
}

function nextAttemptTime(own: readonly Attempt[], history: AttemptHistory): number {
  const { now, steadySince, retryAt, isExhausted, checkable } = history;
  const last = own.at(-1);
  if (last === undefined) return now;
  const { channel, begunAt, outcome } = last;
  if (isDoubtful(outcome) && checkable.includes(channel)) {
    // A second message is sent only after a status check that did not find the first one.
    const searchAt = nextTextSearchAt(begunAt, steadySince, now);
    return isExhausted ? NEVER : (searchAt ?? Math.max(retryAt, now + 1));
  }
  if (own.filter(isCopy).length >= MOST_COPIES) return NEVER;
  if (isDoubtful(outcome)) return repeatMailAt(begunAt, now);
  return isExhausted ? NEVER : retryFailedAt(last, history);
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
