/** Converts records of database version 1: applications that an earlier version of the site queued must be sent. */
import type { DeviceRecord } from "#lib/browser/record.ts";

interface RecordOfVersion1 {
  state: "draft" | "waiting" | "refused" | "received" | "expired";
  key: string;
  lookedAt: number;
  byPress?: boolean;
}

/** Returns undefined for a draft: since version 2, drafts are in the session storage. */
export function convertRecordOfVersion1(old: RecordOfVersion1): DeviceRecord | undefined {
  const { state, key, lookedAt, byPress = false, ...rest } = old;
  if (state === "draft") return undefined;
  const renamed = state === "waiting" ? "queued" : state === "refused" ? "rejected" : state;
  const times = { at: lookedAt, tickedAt: lookedAt };
  return { ...times, ...rest, id: key, state: renamed, toldByForm: byPress } as DeviceRecord;
}
