"use client";

import { useSyncExternalStore } from "react";
import { subscribe } from "#lib/browser/store.ts";

/** What is read of the records of this device, up to date; undefined on the server. */
export function useStored<Value>(read: () => Value): Value | undefined {
  return useSyncExternalStore<Value | undefined>(subscribe, read, () => undefined);
}

/** What the visitor is told in place of the application number. */
export function temporaryNumber(keptAt: number): string {
  return `OFFLINE-${keptAt}`;
}

const CORRECT = "#correct-";

/** Where the notice of a refused application leads. The address carries nothing of the application itself. */
export function correctionHref(id: string): string {
  return `/contact${CORRECT}${id}`;
}

/** The id of the application that an address wants corrected. */
export function correctionIn(hash: string): string | undefined {
  return hash.startsWith(CORRECT) ? hash.slice(CORRECT.length) : undefined;
}
