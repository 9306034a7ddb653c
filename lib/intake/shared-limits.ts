import { config } from "#lib/config.ts";
import { type Limits, openLimits } from "#lib/intake/limits.ts";
import { inMemory, inPostgres } from "#lib/intake/windows.ts";
import { processGlobals } from "#lib/process-globals.ts";

/** The one set of counters of this process. */
export function sharedLimits(): Limits {
  const { limits, databaseUrl } = config();
  processGlobals.limits ??= openLimits(limits, databaseUrl ? inPostgres(databaseUrl) : inMemory);
  return processGlobals.limits;
}
