"use client";

import { useSyncExternalStore } from "react";
import type { Kept } from "#lib/browser/record.ts";
import { records, subscribe } from "#lib/browser/store.ts";

const NONE: readonly Kept[] = [];

/** The records of this device. Each change rerenders the component. The server has none. */
export function useRecords(): readonly Kept[] {
  return useSyncExternalStore(subscribe, records, () => NONE);
}
