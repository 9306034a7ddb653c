/** Where one recipient stands with a message, from the sends that were begun. Pure. */
import {
  after,
  MOST_COPIES,
  nextLookAt,
  REFUSED_FOR_MS,
  REPEAT_MAIL_AFTER_MS,
} from "#lib/delivery/retry.ts";
import { type Attempt, isReached } from "#lib/storage/queries/attempts.ts";
import type { ChannelName } from "#lib/storage/tables.ts";

export const NEVER = Number.POSITIVE_INFINITY;

export interface Standing {
  recipient: string;
  begun: boolean;
  /** It is there, or a provider has it. */
  has: boolean;
  /** Another channel need not wait for this one. */
  refused: boolean;
  /** When it may be sent: now, later, or NEVER. */
  at: number;
}

/** What is known beside the sends. */
export interface Around {
  attempts: readonly Attempt[];
  now: number;
  /** When the next try is due; `due`: one was, when this look at the job began. */
  retryAt: number;
  due: boolean;
  /** No more tries. */
  exhausted: boolean;
  /** False for an alarm and a summary: one that may be out counts as told. */
  mayRepeat: boolean;
}

export function standingOf(around: Around, channel: ChannelName, recipient: string): Standing {
  const { attempts, now, exhausted, mayRepeat } = around;
  const own = attempts.filter((send) => send.channel === channel && send.recipient === recipient);
  const last = own.at(-1);
  const standing = { recipient, begun: last !== undefined, has: false, refused: false };
  if (last === undefined) return { ...standing, at: now };
  const isDoubtful = last.outcome === "sending" || last.outcome === "unknown";
  if (isReached(last.outcome) || (isDoubtful && !mayRepeat)) {
    return { ...standing, has: true, at: NEVER };
  }
  const isSpent = own.filter(mayBeOut).length >= MOST_COPIES;
  if (isDoubtful && channel === "sms") {
    // Another one only after a look.
    const at = nextLookAt(last.begunAt, now) ?? Math.max(around.retryAt, now + 1);
    return exhausted ? { ...standing, refused: true, at: NEVER } : { ...standing, at };
  }
  if (isSpent || (exhausted && !isDoubtful)) return { ...standing, refused: true, at: NEVER };
  const at = isDoubtful
    ? after(REPEAT_MAIL_AFTER_MS, last.begunAt, now)
    : afterFailure(last, around);
  return { ...standing, refused: last.outcome === "rejected" && at > now, at };
}

/** Counted as a copy: what left, may have left, or was paid for. */
const mayBeOut = ({ segments, outcome }: Attempt) =>
  segments > 0 || (outcome !== "not-sent" && outcome !== "rejected");

function afterFailure(last: Attempt, { now, retryAt, due }: Around): number {
  const { outcome, mended, about, notBefore = now, endedAt = last.begunAt } = last;
  if (mended && about === "channel" && notBefore <= now) return now;
  const opensAt = outcome === "rejected" ? after(REFUSED_FOR_MS, endedAt, now) : now;
  return due && opensAt <= now ? now : Math.max(retryAt, opensAt, now + 1);
}
