export interface WindowUsage {
  used: number;
  /** A time of `performance.now()`. */
  endsAt: number;
}

/**
 * Counts per key. A key's window starts with its first count and lasts `ms`. Times come from the monotonic clock, so
 * that setting the wall clock neither ends nor prolongs a window.
 */
export class WindowCounter {
  readonly #ms: number;
  /** The windows in the order in which they end, because all have the same length. */
  readonly #windows = new Map<string, WindowUsage>();

  constructor(ms: number) {
    this.#ms = ms;
  }

  count(key: string): Readonly<WindowUsage> {
    const window = this.#windowOf(key);
    window.used += 1;
    return window;
  }

  uncount(key: string): void {
    const window = this.#windowOf(key);
    window.used = Math.max(0, window.used - 1);
  }

  #windowOf(key: string): WindowUsage {
    const now = performance.now();
    const known = this.#windows.get(key);
    if (known && known.endsAt > now) return known;
    for (const [ended, { endsAt }] of this.#windows) {
      if (endsAt > now) break;
      this.#windows.delete(ended);
    }
    const begun = { used: 0, endsAt: now + this.#ms };
    this.#windows.set(key, begun);
    return begun;
  }
}
