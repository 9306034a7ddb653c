import { config } from "#lib/config.ts";
import { type Limits, openLimits } from "#lib/intake/limits.ts";
import { processGlobals } from "#lib/process-globals.ts";

/** The one set of counters of this process. */
export function sharedLimits(): Limits {
  processGlobals.limits ??= openLimits(config());
  return processGlobals.limits;
}
