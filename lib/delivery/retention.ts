/** Deletes what was delivered longer ago than it may be kept, everywhere where this process put it. */
import { deleteMessagesBefore } from "#lib/channels/file.ts";
import { log } from "#lib/log.ts";
import type { Store } from "#lib/storage/store.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface Retention {
  days: number;
  /** Where the file channel writes. */
  folder: string;
}

export async function deleteExpired(
  store: Store,
  { days, folder }: Retention,
  now: number,
): Promise<void> {
  const before = now - days * DAY_MS;
  const applicationIds = await store.deleteDeliveredBefore(before);
  const files = await deleteMessagesBefore(folder, before);
  if (applicationIds.length + files === 0) return;
  log.info(
    { applicationIds, files, days },
    "deleted what was delivered longer ago than it is kept",
  );
}
