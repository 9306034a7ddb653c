/** Tells since when the wall clock has run as a clock does that only grows: a clock that was set proves no wait. */
import { CLOCK_SLACK } from "#lib/delivery/retry.ts";

interface Clocks {
  now: () => number;
  /** ms that only grow, however the wall clock is set. */
  monotonic: () => number;
}

export class SteadyClock {
  readonly #clocks: Clocks;
  #lead: number;
  #since: number;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#since = clocks.now();
    this.#lead = this.#since - clocks.monotonic();
  }

  /** Time at which the wall clock was last set, or at which this process has begun to watch it. */
  steadySince(): number {
    const now = this.#clocks.now();
    const lead = now - this.#clocks.monotonic();
    if (Math.abs(lead - this.#lead) > CLOCK_SLACK) {
      this.#lead = lead;
      this.#since = now;
    }
    return this.#since;
  }
}
