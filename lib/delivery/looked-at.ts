/** A job while it is looked at: what the steps of a look share. */
import type { Fault, SendEnd } from "#lib/channels/carrier.ts";
import type { Carriers } from "#lib/channels/carriers.ts";
import type { Clock } from "#lib/clock.ts";
import type { Places } from "#lib/delivery/places.ts";
import type { SmsCaps } from "#lib/storage/queries/caps.ts";
import type { Job } from "#lib/storage/queries/jobs.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

export interface LookNeeds {
  store: DeliveryStore;
  carriers: Carriers;
  caps: SmsCaps;
  places: Places;
  /** Names the worker in all that it writes. */
  holder: string;
  now: Clock;
  random: () => number;
  /** Aborted when a stop has waited long enough. */
  cutOff: AbortSignal;
  /** Runs a note until the store takes it. */
  noted<Result>(note: () => Promise<Result>): Promise<Result | undefined>;
}

export interface LookedAt {
  readonly job: Job;
  readonly needs: LookNeeds;
  /** A provider was asked, or a message left just now. */
  asked: boolean;
  /** When a carrier without room is tried again; `capped`: there is no room under the caps. */
  roomAt: number | undefined;
  capped: boolean;
  /** What failed: it counts, unless our own stop has cut it off. */
  note(end: SendEnd): Fault | undefined;
}
