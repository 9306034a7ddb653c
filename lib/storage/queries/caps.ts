/** The caps on paid messages: what each one cost is read from the sends, whatever became of it. */
import { sql, type Transaction } from "kysely";
import { DAY_MS } from "#lib/application/seoul-time.ts";
import type { Tables } from "#lib/storage/tables.ts";

const HOUR_MS = 60 * 60_000;

/** Limits on paid messages, in segments, over any hour and any 24 hours. */
export interface SmsCaps {
  hourly: number;
  daily: number;
}

interface Charge {
  at: number;
  segments: number;
}

/** When this much more fits under the caps; `now` when it fits already. */
export async function roomFor(
  transaction: Transaction<Tables>,
  segments: number,
  caps: SmsCaps,
  now: number,
): Promise<number> {
  // Also what was charged later than now: the clock has been set back since.
  const { rows } = await sql<{ hour: number; day: number }>`
    select coalesce(sum(segments), 0) as day,
      coalesce(sum(case when begun_at > ${now - HOUR_MS} and begun_at < ${now + HOUR_MS} then segments end), 0) as hour
    from sends where segments > 0 and begun_at > ${now - DAY_MS} and begun_at < ${now + DAY_MS}`.execute(
    transaction,
  );
  const { hour = 0, day = 0 } = rows[0] ?? {};
  const fits = (charged: number, cap: number) =>
    Number(charged) === 0 || Number(charged) + segments <= cap;
  if (fits(hour, caps.hourly) && fits(day, caps.daily)) return now;
  const charges = await sql<Charge>`select begun_at as at, segments from sends
    where segments > 0 and begun_at > ${now - DAY_MS} and begun_at < ${now + DAY_MS} order by begun_at`.execute(
    transaction,
  );
  return Math.max(
    roomAt(charges.rows, { segments, cap: caps.hourly, windowMs: HOUR_MS, now }),
    roomAt(charges.rows, { segments, cap: caps.daily, windowMs: DAY_MS, now }),
  );
}

/** What alone is more than a cap goes out when nothing else was charged. */
function roomAt(
  charges: readonly Charge[],
  {
    segments,
    cap,
    windowMs,
    now,
  }: { segments: number; cap: number; windowMs: number; now: number },
): number {
  const within = charges.filter(({ at }) => Math.abs(now - at) < windowMs);
  let charged = within.reduce((sum, charge) => sum + charge.segments, 0);
  let freeAt = now;
  for (const charge of within) {
    if (charged === 0 || charged + segments <= cap) break;
    charged -= charge.segments;
    freeAt = Math.min(charge.at, now) + windowMs;
  }
  return freeAt;
}
