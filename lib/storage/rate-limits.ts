/** The counters of lib/intake that several instances share, in PostgreSQL, whose clock ends their windows. */
import { createHmac } from "node:crypto";
import { openPool } from "#lib/storage/postgres/open.ts";

/** How long a request may wait for a counter. */
const COUNTER_MS = 500;
const CLEANING_MS = 10 * 60_000;
const NOW = "(extract(epoch from statement_timestamp()) * 1000)::bigint";
/** A window that ends later than one that begins now is from before the database's clock was set back. */
const STILL_OPEN = `rate_limits.expire > ${NOW} and rate_limits.expire <= ${NOW} + $2::bigint`;

/** Keys are stored only as keyed hashes. Both operations reject while the database is out. */
interface RateLimits {
  /** Counts one in the key's window, which lasts `ms` if it begins now. */
  add(key: string, ms: number): Promise<{ used: number; msLeft: number }>;
  /** Takes one back. */
  remove(key: string): Promise<void>;
}

/** Has connections of its own, which wait less than those of the store. The tables are the store's to create. */
export function openRateLimits(databaseUrl: string): RateLimits {
  const waits = { connectionTimeoutMillis: COUNTER_MS, query_timeout: COUNTER_MS };
  const pool = openPool(databaseUrl, { max: 4, ...waits });
  const clean = () =>
    // The next cleaning takes what this one leaves.
    pool.query(`delete from rate_limits where expire <= ${NOW}`).catch(() => undefined);
  setInterval(clean, CLEANING_MS).unref();
  const hashed = (key: string) => createHmac("sha256", databaseUrl).update(key).digest("base64url");

  return {
    async add(key, ms) {
      const { rows } = await pool.query<{ used: number; left: number }>(
        `insert into rate_limits (key, points, expire) values ($1, 1, ${NOW} + $2::bigint)
         on conflict (key) do update set
           points = case when ${STILL_OPEN} then rate_limits.points + 1 else 1 end,
           expire = case when ${STILL_OPEN} then rate_limits.expire else ${NOW} + $2::bigint end
         returning points as used, expire - ${NOW} as left`,
        [hashed(key), ms],
      );
      const [row] = rows;
      if (row === undefined) throw new Error("PostgreSQL returned no counter");
      return { used: row.used, msLeft: row.left };
    },
    async remove(key) {
      await pool.query("update rate_limits set points = points - 1 where key = $1 and points > 0", [
        hashed(key),
      ]);
    },
  };
}
