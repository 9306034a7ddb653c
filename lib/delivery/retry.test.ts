import { expect, test } from "vitest";
import { LAST_ATTEMPT, nextAttemptAt } from "#lib/delivery/retry.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const NOW = Date.parse("2026-12-01T00:30:00Z");
const plain = { refused: false, notBefore: undefined, now: NOW, random: 0 };
const pauseAfter = (attempts: number, changes: Partial<Parameters<typeof nextAttemptAt>[0]> = {}) =>
  (nextAttemptAt({ ...plain, attempts, ...changes }) ?? Number.NaN) - NOW;

test("the pauses grow from 5 s to half an hour, and stay there", () => {
  expect(
    [1, 2, 3, 4, 5, 6, 7, 100, LAST_ATTEMPT - 1].map((attempts) => pauseAfter(attempts)),
  ).toEqual([
    5 * SECOND,
    15 * SECOND,
    MINUTE,
    5 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    30 * MINUTE,
    30 * MINUTE,
    30 * MINUTE,
  ]);
});

test("after five days of them the owner has to look", () => {
  let total = 0;
  let attempts = 1;
  for (; attempts < 1_000 && nextAttemptAt({ ...plain, attempts }) !== undefined; attempts++)
    total += pauseAfter(attempts);
  const days = total / (24 * 60 * MINUTE);
  expect(attempts).toBe(LAST_ATTEMPT);
  expect(days).toBeGreaterThan(5);
  expect(days).toBeLessThan(5.1);
});

test("chance makes a pause longer by a tenth at most, and never shorter", () => {
  expect(pauseAfter(3, { random: 0.5 })).toBe(63 * SECOND);
  expect(pauseAfter(3, { random: 0.999 })).toBeLessThanOrEqual(66 * SECOND);
});

test("a refusal is tried again in half an hour: it takes a person to mend it", () => {
  expect(pauseAfter(1, { refused: true })).toBe(30 * MINUTE);
});

test("a time that the provider names is kept, unless it is sooner than ours or over a day away", () => {
  expect(pauseAfter(1, { notBefore: NOW + 2 * MINUTE })).toBe(2 * MINUTE);
  expect(pauseAfter(4, { notBefore: NOW + SECOND })).toBe(5 * MINUTE);
  expect(pauseAfter(1, { notBefore: NOW + 10 * 24 * 60 * MINUTE })).toBe(24 * 60 * MINUTE);
});
