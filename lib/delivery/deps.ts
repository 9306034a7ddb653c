import type { Channels } from "#lib/channels/registry.ts";
import type { Config } from "#lib/config.ts";
import type { SmsCaps } from "#lib/delivery/caps.ts";
import type { Store } from "#lib/storage/store.ts";

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface DeliveryOptions {
  store: Store;
  channels: Channels;
  caps: SmsCaps;
  retention: Pick<Config, "retentionDays" | "dataDir">;
  sendsWeeklySummary?: boolean;
  /** The wall clock, ms since the epoch. The worker reads the wall clock only here, so that tests can set the time. */
  now?: () => number;
  monotonicNow?: () => number;
  random?: () => number;
  pause?: Sleep;
}

export interface DeliveryDeps extends Required<DeliveryOptions> {
  /** The name under which this worker has the lease. */
  holder: string;
}
