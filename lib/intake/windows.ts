/**
 * Counting in windows of time: a key's window begins with its first count, and ends after its time. In memory
 * windows go by the monotonic clock, in PostgreSQL by the database's. A clock that is set back lengthens none.
 */
import type { Clock } from "#lib/clock.ts";
import { openRateLimits } from "#lib/storage/rate-limits.ts";

interface Window {
  name: string;
  ms: number;
}

export interface Count {
  used: number;
  /** Until the window ends; never more than the window lasts. */
  msLeft: number;
}

interface Counter {
  add(key: string): Promise<Count>;
  /** Takes one back. */
  remove(key: string): Promise<void>;
}

export type OpenCounter = (window: Window) => Counter;

const monotonic: Clock = () => performance.now();

export const inMemory: OpenCounter = ({ ms }) => {
  /** In the order in which they end: all take equally long. */
  const windows = new Map<string, { used: number; endsAt: number }>();

  function windowOf(key: string, now: number) {
    const known = windows.get(key);
    if (known && known.endsAt > now) return known;
    for (const [ended, { endsAt }] of windows) {
      if (endsAt > now) break;
      windows.delete(ended);
    }
    const begun = { used: 0, endsAt: now + ms };
    windows.set(key, begun);
    return begun;
  }

  return {
    async add(key) {
      const now = monotonic();
      const window = windowOf(key, now);
      window.used += 1;
      return { used: window.used, msLeft: window.endsAt - now };
    },
    async remove(key) {
      const window = windowOf(key, monotonic());
      window.used = Math.max(0, window.used - 1);
    },
  };
};

/**
 * Counts in the PostgreSQL that several instances share. While it is out nobody waits and nobody is refused: each
 * instance counts in memory.
 */
export function inPostgres(databaseUrl: string): OpenCounter {
  const shared = openRateLimits(databaseUrl);
  return ({ name, ms }) => {
    const meanwhile = inMemory({ name, ms });
    return {
      add: (key) => shared.add(`${name} ${key}`, ms).catch(() => meanwhile.add(key)),
      remove: (key) => shared.remove(`${name} ${key}`).catch(() => meanwhile.remove(key)),
    };
  };
}
