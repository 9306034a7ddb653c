import type { ChannelName } from "#lib/channels/names.ts";
import type { Channels } from "#lib/channels/registry.ts";
import type { SmsCaps } from "#lib/delivery/caps.ts";
import type { Store } from "#lib/storage/store.ts";

/** Everything that the worker hands to the runs of its jobs. */
export interface DeliveryDeps {
  store: Store;
  channels: Channels;
  caps: SmsCaps;
  /** Name of the worker, as the holder of the lease. */
  holder: string;
  now: () => number;
  /** The wall clock has not been set since this time. */
  steadySince: () => number;
  random: () => number;
  /** Aborted when the grace period of a stop is over. */
  cutOff: AbortSignal;
  /** Each channel has its own slots, so that a mail that hangs holds up no text message. */
  hasFreeSlot(channel: ChannelName): boolean;
  /** Repeats a write until the store accepts it. */
  recordUntilStored<Result>(record: () => Promise<Result>): Promise<Result | undefined>;
}
