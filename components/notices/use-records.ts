"use client";

import { useSyncExternalStore } from "react";
import { outbox } from "#lib/browser/outbox.ts";
import type { DeviceRecord } from "#lib/browser/record.ts";

const NONE: readonly DeviceRecord[] = [];

/** The records of this device; none on the server. */
export function useRecords(): readonly DeviceRecord[] {
  return useSyncExternalStore(outbox.subscribe, outbox.records, () => NONE);
}
