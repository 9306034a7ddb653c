import { expect, test } from "vitest";
import { type ClockJump, TrustedClock } from "#lib/trusted-clock.ts";

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
