import { expect, it } from "vitest";
import { HOUR, MINUTE } from "#lib/application/durations.ts";
import { watchWallClock } from "#lib/delivery/wall-clock.ts";

/** Returns the start of the steady time on a host that has run for an hour, as ms after the first reading. */
function steadySince(...steps: { passes?: number; isSetBy?: number }[]): number {
  const host = { wall: 100 * HOUR, uptime: HOUR };
  const watch = watchWallClock({ now: () => host.wall, monotonic: () => host.uptime });
  for (const { passes = 0, isSetBy = 0 } of steps) {
    host.wall += passes + isSetBy;
    host.uptime += passes;
    watch.steadySince();
  }
  return watch.steadySince() - 100 * HOUR;
}

it.each([-1, 1])("steady time restarts when the clock is set by %d h", (hours) => {
  const isSetBy = hours * HOUR;
  expect(steadySince({ passes: 5 * HOUR }, { isSetBy }, { passes: 2 * HOUR })).toBe(
    5 * HOUR + isSetBy,
  );
});

it("several small corrections of the clock add up to a jump", () => {
  expect(steadySince({ isSetBy: -MINUTE / 2 })).toBe(0);
  const thrice = Array.from({ length: 3 }, () => ({ isSetBy: -MINUTE / 2 }));
  expect(steadySince(...thrice)).toBe(-1.5 * MINUTE);
});
