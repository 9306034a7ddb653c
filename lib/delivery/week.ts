/** Weeks from Monday to Sunday in Seoul, whatever the time zone of the host. Pure. */
import { SEOUL_OFFSET_MS, seoulDate } from "#lib/application/seoul-time.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
export const WEEK_MS = 7 * DAY;
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
  /** Wednesday, 09:00: after this it is not made up for; the next summary covers both weeks. */
  lateAt: number;
}

/** The latest Monday whose 09:00 is not after `now`. */
export function summaryWeek(now: number): SummaryWeek {
  const sinceMonday = (now - 9 * HOUR + SEOUL_OFFSET_MS + MONDAY_SHIFT) % WEEK_MS;
  const until = now - 9 * HOUR - sinceMonday;
  return {
    monday: seoulDate(until),
    until,
    dueAt: until + 9 * HOUR,
    lateAt: until + 9 * HOUR + 2 * DAY,
  };
}

/** When the next one is due. */
export function nextSummaryAt({ dueAt }: SummaryWeek): number {
  return dueAt + WEEK_MS;
}
