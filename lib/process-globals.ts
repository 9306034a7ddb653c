/**
 * What Next's bundled handlers share with the server around them. Next bundles its own copy of every
 * module, so the two can only meet on globalThis; this file is the one place where they do.
 */
import type { AsyncLocalStorage } from "node:async_hooks";
import type { Limits } from "#lib/intake/limits.ts";
import type { Store } from "#lib/storage/store.ts";

export interface WorkerStatus {
  state: "running" | "restarting" | "stopped";
  /** When the loop last took a turn, ms since the epoch. */
  lastTurnAt: number | undefined;
}

interface ProcessGlobals {
  /** The one store of this process. */
  store?: Store;
  /** The delivery worker, where this process has one. */
  worker?: { wake(): void; status(): WorkerStatus };
  /** The counters behind the answer 429. */
  limits?: Limits;
  /** The client's address of the request under way, where our own server is in front. */
  clientAddress?: AsyncLocalStorage<string | undefined>;
}

declare global {
  var drivingPractice: ProcessGlobals | undefined;
}

globalThis.drivingPractice ??= {};

export const processGlobals: ProcessGlobals = globalThis.drivingPractice;
