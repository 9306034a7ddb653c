"use client";

import { useSyncExternalStore } from "react";
import type { Kept } from "#lib/browser/record.ts";
import { records, subscribe } from "#lib/browser/store.ts";

const NONE: readonly Kept[] = [];

/** What this device keeps, up to date. */
export function useRecords(): readonly Kept[] {
  return useSyncExternalStore(subscribe, records, () => NONE);
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
