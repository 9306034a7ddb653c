import type { Carrier, Channel } from "#lib/storage/store.ts";

/** Which carrier takes a delivery: its own channel where that is configured, else the file. */
export function carrierFor(channel: Channel, isConfigured: (carrier: Carrier) => boolean): Carrier {
  return isConfigured(channel) ? channel : "file";
}
