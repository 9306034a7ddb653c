import { expect, it } from "vitest";
import { DAY, MINUTE, SECOND } from "#lib/application/durations.ts";
import {
  FAILOVER_AFTER,
  FIRST_PAUSES,
  GIVE_UP_DAYS,
  isLastSearch,
  MAX_TRIES,
  nextSearchAt,
  nextTryAt,
  RESEND_REJECTED_AFTER,
  retryRejectedAt,
  stuckAfter,
} from "#lib/delivery/retry.ts";

const NOW = Date.parse("2026-12-01T09:30:00+09:00");
const usual = { isRejected: false, notBefore: 0, now: NOW, random: 0 };

it("retries follow the first pauses, then come every half hour until the last", () => {
  let passed = 0;
  for (let tries = 1; tries < MAX_TRIES; tries++) {
    const pause = nextTryAt({ ...usual, tries }) - NOW;
    expect(pause).toBe(FIRST_PAUSES[tries - 1] ?? 30 * MINUTE);
    if (tries > FIRST_PAUSES.length) passed += pause;
  }
  expect(passed).toBe(GIVE_UP_DAYS * DAY);
});

it.each([
  ["comes up to a tenth later, so that jobs spread out", { random: 1 }, 16.5],
  [
    "after a rejection leaves a person half an hour to mend the cause",
    { tries: 1, isRejected: true },
    30,
  ],
  ["waits for the time that the provider names", { notBefore: NOW + 20 * MINUTE }, 20],
  ["ignores a provider's time that is earlier than its own", { notBefore: NOW + 1 }, 15],
  ["waits for a day at most", { notBefore: NOW + 9 * DAY }, 24 * 60],
])("the next retry %s", (_what, failed, minutes) => {
  expect(nextTryAt({ ...usual, tries: 5, ...failed }) - NOW).toBe(minutes * MINUTE);
});

it("a rejection has expired when its next retry comes", () => {
  expect(RESEND_REJECTED_AFTER).toBeLessThan(30 * MINUTE);
});

it("only the last of five checks reports a missing text as not sent", () => {
  const checks: [number, boolean][] = [];
  const text = (now: number) => ({ begunAt: NOW, steadySince: 0, now });
  for (let at = nextSearchAt(text(NOW)); at !== undefined; at = nextSearchAt(text(at))) {
    checks.push([(at - NOW) / MINUTE, isLastSearch(text(at))]);
  }
  expect(checks).toEqual([
    [1, false],
    [3, false],
    [6, false],
    [15, false],
    [30, true],
  ]);
});

it.each([
  ["forward", -365 * DAY, 0],
  ["back", 365 * DAY, 0],
  ["back by a second", SECOND, -DAY],
])("a clock that was set %s does not shorten the wait for a text", (_how, lead, steady) => {
  const text = { begunAt: NOW + lead, steadySince: NOW + steady };
  expect(isLastSearch({ ...text, now: NOW })).toBe(false);
  expect(isLastSearch({ ...text, now: NOW + 29 * MINUTE })).toBe(false);
  expect(isLastSearch({ ...text, now: NOW + 31 * MINUTE })).toBe(true);
});

const seoul = (time: string) => Date.parse(`2026-12-${time}+09:00`);
it.each([
  ["01T09:30", "01T15:30"],
  ["01T15:59", "01T21:59"],
  ["01T16:00", "02T08:00"],
  ["01T23:00", "02T08:00"],
  ["02T01:59", "02T08:00"],
  ["02T03:00", "02T09:00"],
])("a phone that was off at %s gets its second text at %s", (endedAt, expected) => {
  const at = seoul(endedAt);
  expect(retryRejectedAt(at, at, true)).toBe(seoul(expected));
  expect(retryRejectedAt(at, seoul(expected), true)).toBe(seoul(expected));
});

it("a failover happens before status asks for a person", () => {
  expect(stuckAfter(2)).toBeGreaterThan(FAILOVER_AFTER + MINUTE);
  expect(stuckAfter(1)).toBe(15 * MINUTE);
});
