/** Reports since when nobody has set the wall clock: across a change, the difference of two times is no duration. */
import { CLOCK_SLACK } from "#lib/delivery/retry.ts";

export interface Clocks {
  now: () => number;
  /** ms that only grow, however the wall clock is set. */
  monotonic: () => number;
}

export type SteadyClock = ReturnType<typeof createSteadyClock>;

export function createSteadyClock({ now, monotonic }: Clocks, tolerance = CLOCK_SLACK) {
  let since = now();
  let aheadOfMonotonic = since - monotonic();

  /** ms by which the wall clock was set since the last call. Smaller steps add up until they exceed the tolerance. */
  function readJump(): number {
    const at = now();
    const ahead = at - monotonic();
    const jump = Math.round(ahead - aheadOfMonotonic);
    if (Math.abs(jump) <= tolerance) return 0;
    aheadOfMonotonic = ahead;
    since = at;
    return jump;
  }

  /** Time at which the wall clock was last set, or at which this clock was created. */
  function steadySince(): number {
    readJump();
    return since;
  }

  return { readJump, steadySince };
}
