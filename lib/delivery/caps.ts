/** The caps on paid messages. Every message that was or may be charged counts. Pure. */
import { DAY, HOUR } from "#lib/application/durations.ts";
import { elapsed } from "#lib/delivery/retry.ts";
import type { Charge } from "#lib/storage/queries/attempts.ts";

/** Limits in segments, over any hour and any 24 hours. */
export interface SmsCaps {
  hourly: number;
  daily: number;
}

/** The share of a cap that suspicious applications may use, so that a flood leaves the rest to the others. */
const SUSPICIOUS_SHARE = 1 / 4;

/** The earliest time at which `segments` more fit under the caps; `now` if they fit already. */
export function earliestTimeUnderCaps(
  charges: readonly Charge[],
  { segments, suspicion }: Omit<Charge, "at">,
  caps: SmsCaps,
  now: number,
): number {
  const suspicious = charges.filter((charge) => charge.suspicion);
  const times = [
    { cap: caps.hourly, window: HOUR },
    { cap: caps.daily, window: DAY },
  ].flatMap(({ cap, window }) => [
    earliestTimeUnderCap(cap, window, charges, segments, now),
    suspicion
      ? earliestTimeUnderCap(cap * SUSPICIOUS_SHARE, window, suspicious, segments, now)
      : now,
  ]);
  return Math.max(...times);
}

/** The earliest time under one cap. A message larger than the whole cap is sent once its window has no charge. */
function earliestTimeUnderCap(
  cap: number,
  window: number,
  charges: readonly Charge[],
  segments: number,
  now: number,
): number {
  const within = charges.filter(({ at }) => elapsed(at, now) < window);
  let charged = within.reduce((sum, charge) => sum + charge.segments, 0);
  let earliest = now;
  for (const charge of within) {
    if (charged + segments <= cap) break;
    charged -= charge.segments;
    earliest = Math.min(charge.at, now) + window;
  }
  return earliest;
}
