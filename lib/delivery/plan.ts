import type { Carrier, StoredApplication } from "#lib/storage/store.ts";

/**
 * Which carrier takes a delivery: its own channel where that is configured, else the file. What looks
 * automated goes by mail: a text message costs money and wakes the owner.
 */
export function carrierFor(
  { channel, suspicion }: Pick<StoredApplication, "channel" | "suspicion">,
  isConfigured: (carrier: Carrier) => boolean,
): Carrier {
  const wanted = suspicion === undefined ? channel : "mail";
  return isConfigured(wanted) ? wanted : "file";
}
