import { config } from "#lib/config.ts";
import { processGlobals } from "#lib/process-globals.ts";
import { openStore } from "#lib/storage/open.ts";
import type { Store } from "#lib/storage/store.ts";

/** The one store of this process; made at the first call, opened at its first use. */
export function sharedStore(): Store {
  processGlobals.store ??= openStore(config());
  return processGlobals.store;
}
