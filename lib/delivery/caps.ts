/** The caps on paid messages. Every message that was or may be charged counts. Pure. */
import { DAY, HOUR } from "#lib/application/durations.ts";
import { elapsedMs } from "#lib/delivery/retry.ts";
import type { Charge } from "#lib/storage/queries/messages.ts";

/** Limits in segments, over any hour and any 24 hours. */
export interface SmsCaps {
  hourly: number;
  daily: number;
}

/** The share of a cap that suspicious applications may use, so that they cannot use up the cap of the others. */
const SUSPICIOUS_SHARE = 1 / 4;

export function earliestTimeUnderCaps(
  charges: readonly Charge[],
  { segments, suspicion }: Omit<Charge, "at">,
  caps: SmsCaps,
  now: number,
): number {
  /** A message larger than the whole cap is sent once the window has no charge. */
  function earliestUnder(cap: number, window: number, counted = charges): number {
    const within = counted.filter(({ at }) => elapsedMs(at, now) < window);
    let charged = within.reduce((sum, charge) => sum + charge.segments, 0);
    let earliest = now;
    for (const charge of within) {
      if (charged + segments <= cap) break;
      charged -= charge.segments;
      earliest = Math.min(charge.at, now) + window;
    }
    return earliest;
  }
  const times = [earliestUnder(caps.hourly, HOUR), earliestUnder(caps.daily, DAY)];
  if (suspicion) {
    const suspicious = charges.filter((charge) => charge.suspicion);
    times.push(earliestUnder(caps.hourly * SUSPICIOUS_SHARE, HOUR, suspicious));
    times.push(earliestUnder(caps.daily * SUSPICIOUS_SHARE, DAY, suspicious));
  }
  return Math.max(...times);
}
