import { expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import {
  FAILOVER_AFTER,
  FIRST_PAUSES,
  GIVE_UP_DAYS,
  LATER_PAUSE,
  MAX_TRIES,
  MORNING,
  NIGHT,
  nextSmsSearchAt,
  nextTryAt,
  noDeliveryLimit,
  PHONE_OFF_RETRY_AFTER,
  RETRY_REJECTED_AFTER,
  retryAfterRejectionAt,
  SMS_SEARCHES_AFTER,
} from "#lib/delivery/retry.ts";

const NOW = Date.parse("2026-12-01T09:30:00+09:00");
const LAST_SEARCH = Math.max(...SMS_SEARCHES_AFTER);
const usual = { isRejected: false, notBefore: 0, now: NOW, random: 0 };

it("retries follow the schedule until the job is given up", () => {
  let passed = 0;
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    const pause = nextTryAt({ ...usual, tries }) - NOW;
    expect(pause).toBe(FIRST_PAUSES[tries - 1] ?? LATER_PAUSE);
    if (tries > FIRST_PAUSES.length) passed += pause;
  }
  expect(passed).toBe(GIVE_UP_DAYS * DAY);
});

it.each([
  ["pauses", [SECOND, ...FIRST_PAUSES, LATER_PAUSE, DAY]],
  ["times of the searches", [SECOND, ...SMS_SEARCHES_AFTER, DAY]],
])("the %s are in ascending order", (_what, times) => {
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});

it.each([
  ["comes up to a tenth later, so that jobs spread out", { random: 1 }, 1.1 * LATER_PAUSE],
  ["after a rejection leaves a person time", { tries: 1, isRejected: true }, LATER_PAUSE],
  ["waits for the provider's time", { notBefore: NOW + LATER_PAUSE + 1 }, LATER_PAUSE + 1],
  ["ignores a provider's time that is earlier than its own", { notBefore: NOW + 1 }, LATER_PAUSE],
  ["waits for a day at most", { notBefore: NOW + 9 * DAY }, DAY],
])("the next retry %s", (_what, failed, after) => {
  expect(nextTryAt({ ...usual, tries: MAX_TRIES - 1, ...failed }) - NOW).toBe(Math.round(after));
});

it("a rejected message may be sent again before the next try is due", () => {
  expect(RETRY_REJECTED_AFTER).toBeLessThan(LATER_PAUSE);
});

it("a text counts as not sent only after the last search of the provider's list", () => {
  const searches: number[] = [];
  const next = (now: number) => nextSmsSearchAt(NOW, 0, now);
  for (let at = next(NOW); at !== undefined; at = next(at)) searches.push(at - NOW);
  expect(searches).toEqual(SMS_SEARCHES_AFTER);
});

it.each([
  ["forward", -365 * DAY, 0],
  ["back", 365 * DAY, 0],
  ["back by a second", SECOND, -DAY],
])("a clock that was set %s ends no search of the provider's list early", (_how, lead, steady) => {
  const next = (now: number) => nextSmsSearchAt(NOW + lead, NOW + steady, now);
  expect(next(NOW)).toBeDefined();
  expect(next(NOW + LAST_SEARCH - 1)).toBeDefined();
  expect(next(NOW + LAST_SEARCH + MINUTE)).toBeUndefined();
});

const MIDNIGHT = Date.parse("2026-12-01T00:00:00+09:00");
it.each([
  [15 * HOUR, 15 * HOUR],
  [NIGHT - MINUTE, NIGHT - MINUTE],
  [NIGHT, DAY + MORNING],
  [DAY, DAY + MORNING],
  [DAY + MORNING - MINUTE, DAY + MORNING],
  [DAY + MORNING + HOUR, DAY + MORNING + HOUR],
])("a second text that is due at %i ms of the day is sent at %i ms", (due, left) => {
  const [endedAt, expected] = [MIDNIGHT + due - PHONE_OFF_RETRY_AFTER, MIDNIGHT + left];
  expect(retryAfterRejectionAt(endedAt, endedAt, true)).toBe(expected);
  expect(retryAfterRejectionAt(endedAt, expected, true)).toBe(expected);
});

it("a failover happens before status asks for a person", () => {
  expect(noDeliveryLimit(2)).toBeGreaterThan(FAILOVER_AFTER + MINUTE);
  expect(noDeliveryLimit(1)).toBe(FAILOVER_AFTER);
});
