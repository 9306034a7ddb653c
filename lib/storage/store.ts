import type { Application } from "#lib/application/fields.ts";

/** How an application reaches the owner: each form has its own. */
export type Channel = "sms" | "mail";

/** What carried a message in the end: a channel, or the file that stands in for one that is not configured. */
export type Carrier = Channel | "file";

/** An application as it lies in the store. */
export interface StoredApplication {
  /** 8 characters, see lib/application/number.ts. */
  applicationId: string;
  channel: Channel;
  /** Milliseconds since the epoch, the server's clock. */
  submittedAt: number;
  application: Application;
}

export interface NewApplication {
  channel: Channel;
  /** Absent when the client sent none; then equal content within REPEAT_WINDOW_MS is a repeat. */
  idempotencyKey: string | undefined;
  application: Application;
  /** Milliseconds since the epoch. */
  now: number;
}

export type Acceptance =
  /** On disk, with its delivery, before this is returned. */
  | { outcome: "stored"; applicationId: string; submittedAt: number }
  /** The same was stored before: its first answer again. */
  | { outcome: "replayed"; applicationId: string; submittedAt: number }
  /** The key belongs to other content. */
  | { outcome: "key-reused" };

/**
 * A delivery's life. `waiting`: due at nextAttemptAt. `leased`: a worker has it until its lease ends.
 * `delivered`: a carrier took it. `needs-owner`: given up after GIVE_UP_AFTER_MS; kept and listed.
 */
export type DeliveryState = "waiting" | "leased" | "delivered" | "needs-owner";

/** A delivery that this worker has leased: nobody else may mark it while the fence is the row's newest. */
export interface LeasedDelivery extends StoredApplication {
  deliveryId: number;
  /** Grows with every lease of the row; a mark with an older one is refused. */
  fence: number;
  /** Attempts that ended before this one. */
  attempts: number;
}

/** How an attempt ended, for the row. `error` names the fault without personal data. */
export type AttemptResult =
  | { state: "delivered"; carrier: Carrier; providerId: string | undefined }
  | { state: "waiting"; nextAttemptAt: number; error: string }
  | { state: "needs-owner"; error: string };

export interface DeliveryCounts {
  waiting: number;
  leased: number;
  delivered: number;
  needsOwner: number;
  /** When the oldest delivery that is not yet delivered came in, ms since the epoch. */
  oldestWaitingSince: number | undefined;
}

/** The store cannot take or give anything now: full, locked, read-only, corrupt, gone. */
export class StorageUnavailable extends Error {
  override name = "StorageUnavailable";
}

/** Everything that the rest of the program asks of the database. All times are ms since the epoch. */
export interface Store {
  /** Stores an application, its delivery and its key in one fsynced transaction. @throws StorageUnavailable */
  accept(application: NewApplication): Promise<Acceptance>;
  /** Leases up to `limit` due deliveries, oldest first; leases that have run out count as due. */
  leaseDue(options: { now: number; leaseMs: number; limit: number }): Promise<LeasedDelivery[]>;
  /** Marks a leased delivery; false when another worker has leased it since. */
  mark(
    delivery: Pick<LeasedDelivery, "deliveryId" | "fence">,
    result: AttemptResult,
    now: number,
  ): Promise<boolean>;
  /** When the next delivery falls due (a lease's end included), or undefined when nothing waits. */
  nextDueAt(): Promise<number | undefined>;
  /** At start, for a store with one worker: what a killed process had leased is due at once. Returns how many. */
  releaseLeases(now: number): Promise<number>;
  counts(): Promise<DeliveryCounts>;
  /** Deletes what was delivered before a time, everywhere in the database; returns the application numbers. */
  deleteDeliveredBefore(time: number): Promise<string[]>;
  close(): Promise<void>;
}
