/** Reports since when nobody has set the wall clock. Earlier times cannot be compared with the present. */
import type { WorkerDeps } from "#lib/delivery/deps.ts";
import { MIN_CLOCK_JUMP } from "#lib/delivery/retry.ts";

export type Clocks = Pick<Required<WorkerDeps>, "now" | "monotonic">;

export function watchWallClock({ now, monotonic }: Clocks, tolerance = MIN_CLOCK_JUMP) {
  let since = now();
  let aheadOfMonotonic = since - monotonic();

  /** Milliseconds by which the wall clock was set. Small changes add up until they exceed the tolerance. */
  function readJump(): number {
    const at = now();
    const ahead = at - monotonic();
    const jump = Math.round(ahead - aheadOfMonotonic);
    if (Math.abs(jump) <= tolerance) return 0;
    aheadOfMonotonic = ahead;
    since = at;
    return jump;
  }

  function steadySince(): number {
    readJump();
    return since;
  }

  return { readJump, steadySince };
}
