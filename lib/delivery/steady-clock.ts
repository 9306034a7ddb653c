/** Reports since when nobody has set the wall clock: across a change, the difference of two times is no duration. */
import { CLOCK_SLACK } from "#lib/delivery/retry.ts";

export interface Clocks {
  now: () => number;
  /** ms that only grow, however the wall clock is set. */
  monotonic: () => number;
}

export class SteadyClock {
  readonly #clocks: Clocks;
  readonly #tolerance: number;
  #aheadOfMonotonic: number;
  #since: number;

  constructor(clocks: Clocks, tolerance = CLOCK_SLACK) {
    this.#clocks = clocks;
    this.#tolerance = tolerance;
    this.#since = clocks.now();
    this.#aheadOfMonotonic = this.#since - clocks.monotonic();
  }

  /** ms by which the wall clock was set since the last call. Smaller steps add up until they exceed the tolerance. */
  readJump(): number {
    const now = this.#clocks.now();
    const ahead = now - this.#clocks.monotonic();
    const jump = Math.round(ahead - this.#aheadOfMonotonic);
    if (Math.abs(jump) <= this.#tolerance) return 0;
    this.#aheadOfMonotonic = ahead;
    this.#since = now;
    return jump;
  }

  /** Time at which the wall clock was last set, or at which this object was created. */
  steadySince(): number {
    this.readJump();
    return this.#since;
  }
}
