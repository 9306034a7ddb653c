/** Weeks from Monday to Sunday in Seoul, whatever the time zone of the host. Pure. */
import type { SmsCaps, Transport } from "#lib/application/delivery.ts";
import { SEOUL_OFFSET_MS, seoulDate } from "#lib/application/seoul-time.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** The epoch was a Thursday, three days after a Monday. */
const MONDAY_SHIFT = 3 * DAY;

/** The weekly summary that a Monday brings. Times are ms since the epoch. */
export interface SummaryWeek {
  /** `2026-11-23`: the Monday on which it is sent; names the summary. */
  monday: string;
  /** Monday, 00:00: the week before ends here. */
  until: number;
  /** Monday, 09:00. */
  dueAt: number;
  /** Monday, 12:00: a mail that has not gone out by then is replaced by an SMS, where there is one. */
  noonAt: number;
  /** Wednesday, 09:00: after this it is not made up for; the next summary covers both weeks. */
  lateAt: number;
}

/** The latest Monday whose 09:00 is not after `now`. */
export function summaryWeek(now: number): SummaryWeek {
  const sinceMonday = (now - 9 * HOUR + SEOUL_OFFSET_MS + MONDAY_SHIFT) % WEEK;
  const until = now - 9 * HOUR - sinceMonday;
  return {
    monday: seoulDate(until),
    until,
    dueAt: until + 9 * HOUR,
    noonAt: until + 12 * HOUR,
    lateAt: until + 9 * HOUR + 2 * DAY,
  };
}

/** When the next one is due. */
export function nextSummaryAt({ dueAt }: SummaryWeek): number {
  return dueAt + WEEK;
}

/** A summary that this worker has leased: nobody else may note it while the fence is the row's newest. */
export interface LeasedSummary {
  monday: string;
  fence: number;
  /** What came in from here up to `until` is in it. */
  from: number;
  until: number;
  /** Attempts that ended before this one. */
  attempts: number;
}

/** A summary that is about to leave. */
export interface SummaryIntent {
  transport: Transport;
  /** How many text messages it is. */
  texts: number;
  caps: SmsCaps;
  now: number;
}

/** How an attempt at a summary ended. `unknown`: it may have gone out, and is not repeated. */
export type SummaryResult =
  | { state: "sent" | "unknown"; transport: Transport }
  | { state: "waiting"; nextAttemptAt: number };
