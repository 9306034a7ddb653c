/** Converts records of version 1 of the database. Applications that were queued before an update must still be sent. */
import type { DeviceRecord } from "#lib/browser/record.ts";

interface RecordOfVersion1 {
  state: "draft" | "waiting" | "refused" | "received" | "expired";
  key: string;
  lookedAt: number;
  byPress?: boolean;
}

/** Undefined for a draft: since version 2, drafts are in the session storage. */
export function convertRecordOfVersion1(old: RecordOfVersion1): DeviceRecord | undefined {
  const { state, key, lookedAt, byPress = false, ...rest } = old;
  if (state === "draft") return undefined;
  const renamed = state === "waiting" ? "queued" : state === "refused" ? "rejected" : state;
  const times = { at: lookedAt, tickedAt: lookedAt };
  return { ...times, ...rest, id: key, state: renamed, toldByForm: byPress } as DeviceRecord;
}
