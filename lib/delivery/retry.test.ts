import { expect, it } from "vitest";
import { DAY, MINUTE, SECOND } from "#lib/application/durations.ts";
import {
  FAILOVER_AFTER,
  FIRST_PAUSES,
  GIVE_UP_DAYS,
  LATER_PAUSE,
  MAX_TRIES,
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

it("the pause after a rejection is shorter than the one between later tries", () => {
  expect(RETRY_REJECTED_AFTER).toBeLessThan(LATER_PAUSE);
});

it("searches of the provider's list follow their schedule", () => {
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

const parseDayAndTime = (text: string) => Date.parse(`2026-12-${text.replace(" ", "T")}+09:00`);
it.each([
  ["01 15:00", "01 15:00"],
  ["01 21:59", "01 21:59"],
  ["01 22:00", "02 08:00"],
  ["02 00:00", "02 08:00"],
  ["02 07:59", "02 08:00"],
  ["02 09:00", "02 09:00"],
])("a second text that is due on day %s is sent on day %s", (due, sent) => {
  const [dueAt = 0, expected = 0] = [due, sent].map(parseDayAndTime);
  const endedAt = dueAt - PHONE_OFF_RETRY_AFTER;
  expect(retryAfterRejectionAt(endedAt, endedAt, true)).toBe(expected);
  expect(retryAfterRejectionAt(endedAt, expected, true)).toBe(expected);
});

it("a failover happens before status asks for a person", () => {
  expect(noDeliveryLimit(2)).toBeGreaterThan(FAILOVER_AFTER + MINUTE);
  expect(noDeliveryLimit(1)).toBe(FAILOVER_AFTER);
});
