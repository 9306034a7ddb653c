import type { ChannelName } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
import type { Config } from "#lib/config.ts";
import type { SmsCaps } from "#lib/delivery/caps.ts";
import type { Store } from "#lib/storage/store.ts";

/** Resolves after `ms`, or when the signal aborts. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export interface WorkerDeps {
  store: Store;
  channels: Channels;
  caps: SmsCaps;
  retention: Pick<Config, "retentionDays" | "dataDir">;
  weeklySummary?: boolean;
  /** The wall clock, ms since the epoch. The worker reads the time only here, so that tests can change it. */
  now?: () => number;
  /** The monotonic clock in ms, which reveals a change of the wall clock. */
  monotonic?: () => number;
  random?: () => number;
  pause?: Pause;
}

export interface DeliveryDeps extends Required<WorkerDeps> {
  /** The name of the worker, as the holder of the lease. */
  holder: string;
  /** The time since which nobody has set the wall clock. */
  steadySince: () => number;
  /** Aborts when the grace period of a stop is over. */
  cutOff: AbortSignal;
  /** True if the channel has a free slot. Each channel has its own, so that a slow mail delays no text message. */
  hasFreeSlot(channel: ChannelName): boolean;
  recordUntilStored<Result>(record: () => Promise<Result>): Promise<Result | undefined>;
}
