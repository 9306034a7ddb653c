import type { ChannelName } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
import type { SmsCaps } from "#lib/delivery/caps.ts";
import type { Retention } from "#lib/delivery/retention.ts";
import type { Store } from "#lib/storage/store.ts";

/** Waits for a time, or until the signal aborts. Tests pass one that takes no real time. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export interface WorkerDeps {
  store: Store;
  channels: Channels;
  caps: SmsCaps;
  retention: Retention;
  weeklySummary?: boolean;
  /** The wall clock, ms since the epoch. All code of the worker reads the time here, so that tests can move it. */
  now?: () => number;
  /** The monotonic clock in ms, which reveals a change of the wall clock. */
  monotonic?: () => number;
  random?: () => number;
  pause?: Pause;
}

/** Everything that the worker hands to the runs of its jobs. */
export interface DeliveryDeps extends Required<WorkerDeps> {
  /** Name of the worker, as the holder of the lease. */
  holder: string;
  /** The wall clock has not been set since this time. */
  steadySince: () => number;
  /** Aborted when the grace period of a stop is over. */
  cutOff: AbortSignal;
  /** True when the channel has a free slot. Each has its own, so that a mail that hangs delays no text message. */
  hasFreeSlot(channel: ChannelName): boolean;
  /** Repeats a write until the store accepts it. */
  recordUntilStored<Result>(record: () => Promise<Result>): Promise<Result | undefined>;
}
