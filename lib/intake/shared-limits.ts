import { config } from "#lib/config.ts";
import { type Limits, openLimits } from "#lib/intake/limits.ts";
import { inMemory, inPostgres } from "#lib/intake/windows.ts";
import { processGlobals } from "#lib/process-globals.ts";

/** The one set of counters of this process. */
export function sharedLimits(): Limits {
  const settings = config();
  const { databaseUrl } = settings;
  processGlobals.limits ??= openLimits(settings, databaseUrl ? inPostgres(databaseUrl) : inMemory);
  return processGlobals.limits;
}
