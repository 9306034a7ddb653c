/** What the last process left: its journal, its leases, and what it could only write as a file. */

import type { Channels } from "#lib/channels/open.ts";
import type { Clock } from "#lib/clock.ts";
import type { AttemptJournal } from "#lib/delivery/attempt-journal.ts";
import { log } from "#lib/log.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

interface Needs {
  store: DeliveryStore;
  channels: Channels;
  journal: AttemptJournal;
  now: Clock;
}

/** Makes all of it due; returns the deliveries that the last process was sending. @throws StorageUnavailable */
export async function makeLeftDue({ store, channels, journal, now }: Needs): Promise<Set<number>> {
  await journal.handOver(store, now());
  const released = await store.releaseLeases(now());
  if (released.length > 0) {
    log.info({ released: released.length }, "deliveries that the last process left are due again");
  }
  if (channels.sms ?? channels.mail) {
    const filed = await store.releaseFiled(now());
    if (filed > 0) log.info({ filed }, "applications that went to files go out now");
  }
  return new Set(released);
}
