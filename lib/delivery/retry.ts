/** The retry rule, in one place: when the next attempt is, or that there is none. Pure. */
import { MAX_WAIT_MS } from "#lib/application/delivery.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The pauses after the first attempts; what lasts longer than these is not a hiccup. */
const FIRST_PAUSES = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE];
/** The pause after each later one. */
const STEADY_PAUSE = 30 * MINUTE;
/** How long the steady attempts go on. Then the owner has to look: kept and listed, never deleted. */
const STEADY_FOR = 5 * DAY;
/** Each pause is up to this much longer, so that what failed together does not come back together. */
const JITTER = 0.1;
/**
 * Attempts are counted, not time: a clock that jumps, or a site that was off for a week, costs no attempt.
 */
export const LAST_ATTEMPT = 1 + FIRST_PAUSES.length + STEADY_FOR / STEADY_PAUSE;

/** What exceeds the caps on SMS collects for up to this long, for one mail. */
const DIGEST_COLLECTS = 10 * MINUTE;

export interface FailedAttempt {
  /** Attempts that ended, this one included. */
  attempts: number;
  /** A refusal does not go away in seconds: only its fault mended by a person ends it. */
  refused: boolean;
  /** A time that the provider named, ms since the epoch. */
  notBefore: number | undefined;
  now: number;
  /** 0 to 1, such as Math.random(). */
  random: number;
}

/** When to try again, ms since the epoch, or undefined when the owner has to look. */
export function nextAttemptAt(failed: FailedAttempt): number | undefined {
  const { attempts, refused, notBefore, now, random } = failed;
  if (attempts >= LAST_ATTEMPT) return undefined;
  const pause = refused ? STEADY_PAUSE : (FIRST_PAUSES[attempts - 1] ?? STEADY_PAUSE);
  const planned = now + Math.round(pause * (1 + JITTER * random));
  return Math.max(planned, Math.min(notBefore ?? 0, now + MAX_WAIT_MS));
}

/** When the digest goes out that collects now, ms since the epoch. Its time is its name. */
export function digestDueAt(now: number): number {
  return (Math.floor(now / DIGEST_COLLECTS) + 1) * DIGEST_COLLECTS;
}
