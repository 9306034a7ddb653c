import { config } from "#lib/config.ts";
import { processGlobals } from "#lib/process-globals.ts";
import type { Store } from "#lib/storage/store.ts";
import { openThreadedStore } from "#lib/storage/threaded-store.ts";

/** The one store of this process; made at the first call, opened at its first use. */
export function sharedStore(): Store {
  processGlobals.store ??= openThreadedStore(config());
  return processGlobals.store;
}
