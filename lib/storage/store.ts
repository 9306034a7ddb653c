import type { Application } from "#lib/application/fields.ts";

/** How an application reaches the owner: each form has its own. */
export type Channel = "sms" | "mail";

/** What carried a message in the end: a channel, or the file that stands in for one that is not configured. */
export type Carrier = Channel | "file";

/**
 * Why an application looks automated: the field that no person sees was filled in, or its sender sends
 * too many. It is stored and mailed with a mark, and never costs a text message.
 */
export type Suspicion = "honeypot" | "flooding";

/** An application as it lies in the store. */
export interface StoredApplication {
  /** 8 characters, see lib/application/number.ts. */
  applicationId: string;
  channel: Channel;
  /** Milliseconds since the epoch, the server's clock. */
  submittedAt: number;
  application: Application;
  suspicion?: Suspicion | undefined;
}

export interface NewApplication {
  channel: Channel;
  /** Absent when the client sent none; then equal content within REPEAT_WINDOW_MS is a repeat. */
  idempotencyKey: string | undefined;
  application: Application;
  /** Milliseconds since the epoch. */
  now: number;
  suspicion?: Suspicion | undefined;
  /** The sender is over its limit: a repeat is answered, something new is not stored. */
  repeatOnly?: boolean;
}

export type Acceptance =
  /** On disk, with its delivery, before this is returned. */
  | { outcome: "stored"; applicationId: string; submittedAt: number }
  /** The same was stored before: its first answer again. */
  | { outcome: "replayed"; applicationId: string; submittedAt: number }
  /** The key belongs to other content. */
  | { outcome: "key-reused" }
  /** It is new, and only a repeat was asked for. */
  | { outcome: "not-a-repeat" };

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
  /** When the oldest application whose delivery is waiting or leased came in, ms since the epoch. */
  oldestWaitingSince: number | undefined;
}

/** Why the store is out: `locked` and `full` pass while the connection stays good, the others need a new one. */
export type UnavailableReason =
  | "locked"
  | "full"
  | "read-only"
  | "corrupt"
  | "missing"
  | "newer-schema"
  | "closed"
  | "failing";

/** The store cannot take or give anything now. The message is one sentence or two for the operator: what is wrong, what to do. */
export class StorageUnavailable extends Error {
  override name = "StorageUnavailable";
  readonly reason: UnavailableReason;

  constructor(message: string, reason: UnavailableReason, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  /** By name: Next's bundle and the server each have their own copy of this class, but share one store. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "StorageUnavailable";
  }
}

/** What Store.forgetPhone deleted, and what it could not. */
export interface Forgotten {
  /** The numbers of the deleted applications. */
  applicationIds: string[];
  /** Applications that a worker is sending just now; they are still there. */
  underWay: number;
  /** Whether the journal is free of what was deleted. */
  journalPurged: boolean;
}

/** Without a key, the same content on the same route within this time is the same application. */
export const REPEAT_WINDOW_MS = 60_000;

/** How long an idempotency key is kept: the promised 7 days, and one more for clocks that differ. */
export const KEY_KEPT_MS = 8 * 24 * 60 * 60_000;

/**
 * No attempt is planned further ahead than this: mark() moves a later one here, and a row that seems to
 * be due later still was planned before the clock was set back, and is due.
 */
export const MAX_WAIT_MS = 24 * 60 * 60_000;

/**
 * Everything that the rest of the program asks of the database. All times are ms since the epoch.
 * Every method but close() rejects with StorageUnavailable while the database is out; the store opens
 * it anew by itself at a later call.
 */
export interface Store {
  /** Stores an application, its delivery and its key in one fsynced transaction. @throws StorageUnavailable */
  accept(application: NewApplication): Promise<Acceptance>;
  /**
   * Leases up to `limit` due deliveries, the longest due first; leases that have run out count as due.
   */
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
  /** Whether an application could be stored now: commits a row as an application would. @throws StorageUnavailable */
  check(now: number): Promise<void>;
  /** Deletes what was delivered before a time, from the database and its journal; returns the application numbers. */
  deleteDeliveredBefore(time: number): Promise<string[]>;
  /** Deletes everything of the person with this number (as it is stored) that no worker holds just now, from the database and its journal. */
  forgetPhone(phone: string): Promise<Forgotten>;
  /** Lets what is under way finish, then closes; afterwards every call is refused. */
  close(): Promise<void>;
}
