/** Next bundles its own copy of every module, so its handlers share only globalThis with the server around them. */
import type { AsyncLocalStorage } from "node:async_hooks";
import type { Limits } from "#lib/intake/limits.ts";
import type { Store } from "#lib/storage/store.ts";

interface ProcessGlobals {
  store?: Store;
  /** The delivery worker, if this process runs one. */
  worker?: { wake(): void; lastPassAt: number | undefined };
  limits?: Limits;
  /** The address that sent the current request. Plain `next start` does not know the address. */
  clientAddress?: AsyncLocalStorage<string | undefined>;
}

declare global {
  var drivingPractice: ProcessGlobals | undefined;
}

globalThis.drivingPractice ??= {};

export const processGlobals: ProcessGlobals = globalThis.drivingPractice;
