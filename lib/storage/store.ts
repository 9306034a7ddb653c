import type { Application } from "#lib/application/fields.ts";
import type { DeliveryState, DispatchState } from "#lib/storage/states.ts";

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
  /** 8 characters, see lib/application/application-id.ts. */
  applicationId: string;
  channel: Channel;
  /** Milliseconds since the epoch, the server's clock. */
  submittedAt: number;
  application: Application;
  suspicion?: Suspicion | undefined;
  /** How often the owner has had it sent once more after it was delivered. */
  repeats?: number | undefined;
}

/** An application with what became of it, for the owner. Times are ms since the epoch. */
export interface FollowedApplication extends StoredApplication {
  state: DeliveryState;
  /** Failed attempts. */
  attempts: number;
  lastError: string | undefined;
  /** Korean: the same for the owner, with the cure. */
  lastAdvice: string | undefined;
  nextAttemptAt: number;
  /** Set while the state is `leased`. */
  leaseUntil: number | undefined;
  failingSince: number | undefined;
  /** What carried it in the end. */
  carrier: Carrier | undefined;
  settledAt: number | undefined;
  digest: string | undefined;
}

/** Which applications the owner wants to see; everything that is left out does not narrow the list. */
export interface ListOptions {
  states?: readonly DeliveryState[] | undefined;
  /** Submitted at or after this, ms since the epoch. */
  since?: number | undefined;
  /** The newest of them. */
  limit?: number | undefined;
}

/** What became of the owner's wish to have an application sent now. */
export type Resent =
  /** It goes out as soon as a worker looks, from the state that it was in. */
  | { outcome: "due"; from: DeliveryState }
  /** The owner has it already, since `settledAt`; only `again` sends it once more. */
  | { outcome: "delivered"; settledAt: number | undefined }
  /** A worker or a provider has it just now. */
  | { outcome: "under-way"; state: "leased" | "sent" }
  /** It waits to go out together with others in one mail, at `dueAt`. */
  | { outcome: "in-digest"; dueAt: number }
  | { outcome: "absent" };

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

/** One recipient's message of a delivery, on one carrier. */
export interface Dispatch {
  carrier: Carrier;
  /** The owner's number or address. */
  recipient: string;
  state: DispatchState;
  /** How the provider knows the message. */
  providerId: string | undefined;
  /** When the last try began, or was refused afterwards, ms since the epoch. */
  begunAt: number;
}

/** A delivery that this worker has leased: nobody else may mark it while the fence is the row's newest. */
export interface LeasedDelivery extends StoredApplication {
  deliveryId: number;
  /** Grows with every lease of the row; a mark with an older one is refused. */
  fence: number;
  /** Failed attempts that ended before this one. */
  attempts: number;
  /** When the first of the failures came that have lasted since. */
  failingSince: number | undefined;
  /** The digest mail that it goes out in with others, when the cap on SMS was reached. */
  digest: string | undefined;
  dispatches: Dispatch[];
}

/** What an attempt learned about a channel: undefined when it works. */
export interface ChannelNote {
  channel: Channel;
  fault: ChannelFault | undefined;
}

export interface ChannelFault {
  /** For the log and the operator, without personal data. */
  error: string;
  /** Korean: what is wrong and what the owner can do. */
  advice: string;
  /** The provider says no, rather than nothing. */
  refused: boolean;
}

/** A channel that does not work, as it lies in the store. */
export interface FailingChannel extends ChannelFault {
  channel: Channel;
  since: number;
}

/** How an attempt ended, for the row. `error` names the fault without personal data. */
export type AttemptResult = AttemptEnd & {
  /** What changed for its recipients. */
  dispatches?: Dispatch[];
  channels?: ChannelNote[];
};

type AttemptEnd =
  | { state: "delivered" | "filed"; carrier: Carrier }
  /** A provider has it and is asked again then. */
  | { state: "sent"; nextAttemptAt: number }
  | {
      state: "waiting" | "refused" | "unknown";
      nextAttemptAt: number;
      error: string;
      /** Korean: the same for the owner. */
      advice?: string | undefined;
      failingSince?: number | undefined;
      /** False when nothing failed: cut off by our own stop, or waiting for the cap. */
      failed?: boolean;
      digest?: string | undefined;
    }
  | { state: "needs-owner"; error: string; advice?: string | undefined };

/** What an alarm is about: a channel, or applications that were given up. */
export type AlarmSubject = Channel | "needs-owner";

/** Caps on paid messages, counted over the last hour and the last 24. */
export interface SmsCaps {
  hourly: number;
  daily: number;
}

export interface Beginning {
  carrier: Carrier;
  recipients: readonly string[];
  /** For carriers that cost money. */
  caps: SmsCaps | undefined;
  now: number;
}

export type Begun =
  | { outcome: "begun" }
  /** One message more would exceed a cap; there is room again at `freeAt`. */
  | { outcome: "capped"; freeAt: number }
  /** Another worker has leased it since. */
  | { outcome: "lost" };

export interface DeliveryCounts {
  waiting: number;
  leased: number;
  sent: number;
  filed: number;
  delivered: number;
  needsOwner: number;
  /** When the oldest application that is neither sent nor settled came in, ms since the epoch. */
  oldestWaitingSince: number | undefined;
}

/** What came of a day. */
export interface DayTally {
  /** New applications, and deliveries that ended, on that day. */
  taken: number;
  delivered: number;
  filed: number;
  givenUp: number;
  /** As it is now: on their way or to be tried again, and refused on every way so far. */
  waiting: number;
  refused: number;
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

/** What a form is answered with, encrypted; its key is in the address that only the visitor has. */
export interface SealedResult {
  tokenHash: string;
  sealed: string;
  expiresAt: number;
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
   * Leases up to `limit` due deliveries, the oldest first; leases that have run out count as due.
   * A digest is leased whole. `only` names the deliveries that are asked for.
   */
  leaseDue(options: {
    now: number;
    leaseMs: number;
    limit: number;
    only?: readonly number[];
  }): Promise<LeasedDelivery[]>;
  /** Notes that messages are about to leave, within the caps, before they do. */
  begin(
    delivery: Pick<LeasedDelivery, "deliveryId" | "fence">,
    beginning: Beginning,
  ): Promise<Begun>;
  /** Marks a leased delivery; false when another worker has leased it since. */
  mark(
    delivery: Pick<LeasedDelivery, "deliveryId" | "fence">,
    result: AttemptResult,
    now: number,
  ): Promise<boolean>;
  /** When the next delivery falls due (a lease's end included), or undefined when nothing waits. */
  nextDueAt(): Promise<number | undefined>;
  /**
   * At start: what a killed process had leased is due at once; returns which deliveries. While another
   * process has the store open it releases none, and those leases run out.
   */
  releaseLeases(now: number): Promise<number[]>;
  /** What was written as a file is due; for a start with a channel configured. Returns how many. */
  releaseFiled(now: number): Promise<number>;
  counts(): Promise<DeliveryCounts>;
  /** What came of the time from `from` up to `to`. */
  tally(day: { from: number; to: number }): Promise<DayTally>;
  /** Applications with what became of them, the newest first. */
  list(options: ListOptions): Promise<FollowedApplication[]>;
  /** One application, and what is known of each message of it; undefined when there is none. */
  find(
    applicationId: string,
  ): Promise<(FollowedApplication & { dispatches: Dispatch[] }) | undefined>;
  /** Makes a delivery due at once, unless it is under way; what was delivered only with `again`. */
  resend(applicationId: string, options: { again: boolean; now: number }): Promise<Resent>;
  failingChannels(): Promise<FailingChannel[]>;
  /** How many applications were given up. */
  countNeedsOwner(): Promise<number>;
  /** Takes on telling the owner; false unless that is due now. Due again in minutes, unless confirmed. */
  claimAlarm(subject: AlarmSubject, now: number): Promise<boolean>;
  /** The owner was told: due again in a day. */
  confirmAlarm(subject: AlarmSubject, now: number): Promise<void>;
  /** Whether an application could be stored now: commits a row as an application would. @throws StorageUnavailable */
  check(now: number): Promise<void>;
  /** Deletes what was delivered before a time, from the database and its journal; returns the application numbers. */
  deleteDeliveredBefore(time: number): Promise<string[]>;
  /** Deletes everything of the person with this number (as it is stored) that no worker holds just now, from the database and its journal. */
  forgetPhone(phone: string): Promise<Forgotten>;
  /** Keeps what a form is answered with for the other instances; forgets what has expired. */
  keepSealed(result: SealedResult, now: number): Promise<void>;
  findSealed(tokenHash: string, now: number): Promise<string | undefined>;
  /** Lets what is under way finish, then closes; afterwards every call is refused. */
  close(): Promise<void>;
}
