import type { ChannelName } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
import type { Config } from "#lib/config.ts";
import type { SmsCaps } from "#lib/delivery/caps.ts";
import type { Store } from "#lib/storage/store.ts";

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface WorkerDeps {
  store: Store;
  channels: Channels;
  caps: SmsCaps;
  retention: Pick<Config, "retentionDays" | "dataDir">;
  sendsWeeklySummary?: boolean;
  /** The wall clock, ms since the epoch. The worker reads the time only here, so that tests can set it. */
  now?: () => number;
  monotonic?: () => number;
  random?: () => number;
  pause?: Sleep;
}

export interface DeliveryDeps extends Required<WorkerDeps> {
  holder: string;
  steadySince: () => number;
  /** Aborts when the grace period of a stop is over. */
  cutOff: AbortSignal;
  /** Each channel has slots of its own, so that a slow mail delays no text message. */
  hasFreeSlot(channel: ChannelName): boolean;
  recordUntilStored<Result>(record: () => Promise<Result>): Promise<Result | undefined>;
}
