import { describe, expect, it } from "vitest";
import {
  FIRST_PAUSES,
  GIVE_UP_DAYS,
  isLastLook,
  LAST_TRY,
  nextLookAt,
  nextTryAt,
  REFUSED_FOR_MS,
} from "#lib/delivery/retry.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.parse("2026-12-01T09:30:00+09:00");
const usual = { refused: false, notBefore: 0, now: NOW, random: 0 };

describe("the next try", () => {
  it("comes after each of the first pauses, then every half hour, for as many days as are named", () => {
    let passed = 0;
    for (let tries = 1; tries < LAST_TRY; tries++) {
      const pause = nextTryAt({ ...usual, tries }) - NOW;
      expect(pause).toBe(FIRST_PAUSES[tries - 1] ?? 30 * MINUTE);
      if (tries > FIRST_PAUSES.length) passed += pause;
    }
    expect(passed).toBe(GIVE_UP_DAYS * DAY);
  });

  it("comes up to a tenth later, so that what failed together does not come back together", () => {
    expect(nextTryAt({ ...usual, tries: 5, random: 1 }) - NOW).toBe(16.5 * MINUTE);
  });

  it("of a refusal leaves a person half an hour to mend its cause, and finds the message open then", () => {
    expect(nextTryAt({ ...usual, tries: 1, refused: true }) - NOW).toBe(30 * MINUTE);
    expect(REFUSED_FOR_MS).toBeLessThan(30 * MINUTE);
  });

  it("waits for the time that the provider names, a day at most", () => {
    expect(nextTryAt({ ...usual, tries: 1, notBefore: NOW + 10 * MINUTE })).toBe(NOW + 10 * MINUTE);
    expect(nextTryAt({ ...usual, tries: 1, notBefore: NOW + 9 * DAY })).toBe(NOW + DAY);
    expect(nextTryAt({ ...usual, tries: 5, notBefore: NOW + 1 })).toBe(NOW + 15 * MINUTE);
  });
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
