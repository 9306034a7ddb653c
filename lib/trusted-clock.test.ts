import { expect, test } from "vitest";
import { type ClockJump, isProven, TrustedClock } from "#lib/trusted-clock.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

function watched() {
  const time = { wall: Date.parse("2026-12-01T09:30:00+09:00"), monotonic: 5_000 };
  const jumps: ClockJump[] = [];
  const clock = new TrustedClock({
    now: () => time.wall,
    monotonic: () => time.monotonic,
    onJump: (jump) => jumps.push(jump),
  });
  const runs = (ms: number) => {
    time.wall += ms;
    time.monotonic += ms;
  };
  return { clock, time, jumps, runs };
}

test("a clock is believed after a day of running, not before", () => {
  const { clock, runs } = watched();
  expect(clock.status()).toEqual({ steady: false, jump: undefined });
  runs(DAY_MS - 1);
  expect(clock.status().steady).toBe(false);
  runs(1);
  expect(clock.status()).toEqual({ steady: true, jump: undefined });
});

test("the day goes on in the next process", () => {
  const { clock, time, runs } = watched();
  runs(DAY_MS - 10 * 60_000);
  const earlier = clock.agreement();
  expect(earlier).toEqual({ at: time.wall, ms: DAY_MS - 10 * 60_000 });
  const next = watched();
  next.time.wall = time.wall + 5 * 60_000;
  const restarted = new TrustedClock({
    now: () => next.time.wall,
    monotonic: () => next.time.monotonic,
  });
  restarted.continueFrom(earlier);
  next.runs(10 * 60_000 - 1);
  expect(restarted.status().steady).toBe(false);
  next.runs(1);
  expect(restarted.status().steady).toBe(true);
  next.time.wall += YEAR_MS;
  expect(restarted.status().steady).toBe(false);
  expect(restarted.agreement().ms).toBe(0);
});

test.each([YEAR_MS, -YEAR_MS, HOUR_MS + 1, -HOUR_MS - 1])(
  "the day begins anew in a process that finds the clock %d ms away",
  (ms) => {
    const { clock, time, runs } = watched();
    clock.continueFrom({ at: time.wall - ms, ms: 2 * DAY_MS });
    expect(clock.status().steady).toBe(false);
    runs(DAY_MS);
    expect(clock.status().steady).toBe(true);
    expect(isProven({ at: time.wall, ms: DAY_MS }, time.wall + ms)).toBe(false);
  },
);

test("to a command a clock is proven by a day that a process has noted within the hour", () => {
  const at = Date.parse("2026-12-01T09:30:00+09:00");
  expect(isProven({ at, ms: DAY_MS }, at + HOUR_MS)).toBe(true);
  expect(isProven({ at, ms: DAY_MS - 1 }, at)).toBe(false);
});

test.each([YEAR_MS, -YEAR_MS, HOUR_MS + 1, -HOUR_MS - 1])(
  "a jump of %d ms is told once, and the day begins anew",
  (ms) => {
    const { clock, time, jumps, runs } = watched();
    runs(3 * DAY_MS);
    expect(clock.status().steady).toBe(true);
    time.wall += ms;
    expect(clock.status()).toEqual({ steady: false, jump: { at: time.wall, ms } });
    runs(DAY_MS - 1);
    expect(clock.status().steady).toBe(false);
    runs(1);
    expect(clock.status().steady).toBe(true);
    expect(jumps).toHaveLength(1);
  },
);

test("what a time server corrects within the hour changes nothing, many such corrections together do", () => {
  const { clock, time, jumps, runs } = watched();
  runs(DAY_MS);
  time.wall += 40 * 60_000;
  expect(clock.status().steady).toBe(true);
  time.wall += 40 * 60_000;
  expect(clock.status().steady).toBe(false);
  expect(jumps).toHaveLength(1);
});
