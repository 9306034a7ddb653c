/** The caps on paid messages: what each one cost is read from the sends, whatever became of it. */
import { sql } from "kysely";
import { DAY_MS } from "#lib/application/seoul-time.ts";
import type { Writing } from "#lib/storage/tables.ts";

const HOUR_MS = 60 * 60_000;

/** Limits on paid messages, in segments, over any hour and any 24 hours. */
export interface SmsCaps {
  hourly: number;
  daily: number;
}

/** When so many segments more fit under the caps; `now` when they fit already. */
export async function roomAt(
  writing: Writing,
  segments: number,
  { hourly, daily }: SmsCaps,
  now: number,
): Promise<number> {
  if (segments === 0) return now;
  // Also what was charged later than now: the clock has been set back since.
  const { rows } = await sql<{ at: number; segments: number }>`
    select begun_at as at, segments from attempts where segments > 0
      and begun_at > ${now - DAY_MS} and begun_at < ${now + DAY_MS} order by begun_at`.execute(
    writing,
  );
  /** What alone is more than a cap goes out when nothing else was charged. */
  const freeAt = (cap: number, windowMs: number) => {
    const within = rows.filter(({ at }) => Math.abs(now - at) < windowMs);
    let charged = within.reduce((sum, charge) => sum + charge.segments, 0);
    let free = now;
    for (const charge of within) {
      if (charged === 0 || charged + segments <= cap) break;
      charged -= charge.segments;
      free = Math.min(charge.at, now) + windowMs;
    }
    return free;
  };
  return Math.max(freeAt(hourly, HOUR_MS), freeAt(daily, DAY_MS));
}
