/**
 * Counting in windows of time: a key's window begins with its first count, and ends after its time. In memory
 * windows go by the monotonic clock, in PostgreSQL by the database's, so that no clock that is set moves them.
 */
import { createHmac } from "node:crypto";
import type { Clock } from "#lib/clock.ts";
import { openPool } from "#lib/storage/postgres/open.ts";

interface Window {
  name: string;
  ms: number;
}

export interface Count {
  used: number;
  /** Until the window ends; never more than the window. */
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

/** How long a request may wait for a counter; without one it is counted in memory. */
const COUNTER_MS = 500;
const CLEANING_MS = 10 * 60_000;
const NOW = "(extract(epoch from statement_timestamp()) * 1000)::bigint";
/** A window that ends later than one that begins now is from before the database's clock was set back. */
const STILL_OPEN = `rate_limits.expire > ${NOW} and rate_limits.expire <= ${NOW} + $2::bigint`;

/**
 * Counts in the PostgreSQL that several instances share. Keys are stored only as keyed hashes. While the
 * database is out nobody waits and nobody is refused: each instance counts in memory.
 */
export function inPostgres(databaseUrl: string): OpenCounter {
  const waits = { connectionTimeoutMillis: COUNTER_MS, query_timeout: COUNTER_MS };
  const pool = openPool(databaseUrl, { max: 4, ...waits });
  const clean = () =>
    // The next cleaning takes what this one leaves.
    pool.query(`delete from rate_limits where expire <= ${NOW}`).catch(() => undefined);
  setInterval(clean, CLEANING_MS).unref();

  return (window) => {
    const meanwhile = inMemory(window);
    const hashed = (key: string) =>
      createHmac("sha256", databaseUrl).update(`${window.name} ${key}`).digest("base64url");
    return {
      async add(key) {
        try {
          const { rows } = await pool.query<{ used: number; left: number }>(
            `insert into rate_limits (key, points, expire) values ($1, 1, ${NOW} + $2::bigint)
             on conflict (key) do update set
               points = case when ${STILL_OPEN} then rate_limits.points + 1 else 1 end,
               expire = case when ${STILL_OPEN} then rate_limits.expire else ${NOW} + $2::bigint end
             returning points as used, expire - ${NOW} as left`,
            [hashed(key), window.ms],
          );
          const [row] = rows;
          if (row) return { used: row.used, msLeft: row.left };
        } catch {
          // Counted below.
        }
        return meanwhile.add(key);
      },
      async remove(key) {
        await pool
          .query("update rate_limits set points = points - 1 where key = $1 and points > 0", [
            hashed(key),
          ])
          .catch(() => meanwhile.remove(key));
      },
    };
  };
}
