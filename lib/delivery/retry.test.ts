import { expect, it } from "vitest";
import {
  FIRST_PAUSES,
  GIVE_UP_DAYS,
  isLastLook,
  LAST_TRY,
  nextLookAt,
  nextTryAt,
  REFUSED_FOR_MS,
} from "#lib/delivery/retry.ts";
import { DAY, MINUTE } from "#testing/durations.ts";

const NOW = Date.parse("2026-12-01T09:30:00+09:00");
const usual = { refused: false, notBefore: 0, now: NOW, random: 0 };

it("the next try comes after each of the first pauses, then every half hour, for as many days as are named", () => {
  let passed = 0;
  for (let tries = 1; tries < LAST_TRY; tries++) {
    const pause = nextTryAt({ ...usual, tries }) - NOW;
    expect(pause).toBe(FIRST_PAUSES[tries - 1] ?? 30 * MINUTE);
    if (tries > FIRST_PAUSES.length) passed += pause;
  }
  expect(passed).toBe(GIVE_UP_DAYS * DAY);
});

it.each([
  ["comes up to a tenth later: what failed together must not come back so", { random: 1 }, 16.5],
  ["of a refusal leaves a person half an hour to mend its cause", { tries: 1, refused: true }, 30],
  ["waits for the time that the provider names", { notBefore: NOW + 20 * MINUTE }, 20],
  ["waits for no time that comes before its own", { notBefore: NOW + 1 }, 15],
  ["waits for a day at most", { notBefore: NOW + 9 * DAY }, 24 * 60],
])("the next try %s", (_what, failed, minutes) => {
  expect(nextTryAt({ ...usual, tries: 5, ...failed }) - NOW).toBe(minutes * MINUTE);
});

it("the next try of a refusal finds the message open", () => {
  expect(REFUSED_FOR_MS).toBeLessThan(30 * MINUTE);
});

it("looks three times for a text that may be out, and believes the last look alone that it is not there", () => {
  const looks: [number, boolean][] = [];
  for (let at = nextLookAt(NOW, NOW); at !== undefined; at = nextLookAt(NOW, at)) {
    looks.push([(at - NOW) / MINUTE, isLastLook(NOW, at)]);
  }
  expect(looks).toEqual([
    [1, false],
    [3, false],
    [6, true],
  ]);
});
