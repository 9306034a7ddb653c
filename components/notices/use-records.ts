"use client";

import { useSyncExternalStore } from "react";
import type { Kept } from "#lib/browser/record.ts";
import { records, subscribe } from "#lib/browser/store.ts";

const NONE: readonly Kept[] = [];

/** The records of this device; who uses them is drawn anew after each change. None on the server. */
export function useRecords(): readonly Kept[] {
  return useSyncExternalStore(subscribe, records, () => NONE);
}
