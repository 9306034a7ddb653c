/** What becomes of an application on its way to the owner. All times are ms since the epoch. */
import type { DeliveryState, MessageState } from "#lib/application/delivery-states.ts";
import type { Channel, StoredApplication } from "#lib/application/stored-application.ts";

/** What carried a message in the end: a channel, or the file that stands in for one that is not configured. */
export type Transport = Channel | "file";

/** One recipient's message of a delivery, on one transport. */
export interface Message {
  transport: Transport;
  /** The owner's number or address. */
  recipient: string;
  state: MessageState;
  /** How the provider knows the message. */
  providerId: string | undefined;
  /** When the last try began, or was refused afterwards. */
  begunAt: number;
  /** How many copies may have gone out: counted before each one leaves, and taken back when it certainly did not. */
  copies: number;
}

/** No recipient gets more mails of one application, even if the first may be lost. A repeat has the same Message-ID. */
export const MOST_MAIL_COPIES = 2;

/** A delivery that this worker has leased: nobody else may mark it while the fence is the row's newest. */
export interface LeasedDelivery extends StoredApplication {
  deliveryId: number;
  /** Grows with every lease of the row; a mark with an older one is refused. */
  fence: number;
  /** Failed attempts that ended before this one. */
  attempts: number;
  /** When the first failure came of those that have gone on until now. */
  failingSince: number | undefined;
  /** The digest mail that carries it together with others, when the cap on SMS was reached. */
  digest: string | undefined;
  messages: Message[];
}

/**
 * No attempt is planned further ahead than this: the store moves a later one here. A row that is due even later
 * was planned before the clock was set back, and counts as due.
 */
export const MAX_WAIT_MS = 24 * 60 * 60_000;

/** An application with what became of it, for the owner. */
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
  transport: Transport | undefined;
  settledAt: number | undefined;
  digest: string | undefined;
}

/** What an attempt learned about a channel: undefined when it works. */
export interface ChannelNote {
  channel: Channel;
  fault: ChannelFault | undefined;
}

interface ChannelFault {
  /** For the log and the operator, without personal data. */
  error: string;
  /** Korean: what is wrong and what the owner can do. */
  advice: string;
  /** The provider refused; false when it did not answer. */
  refused: boolean;
  /** When the attempt that met it began. */
  since?: number;
}

/** A channel that does not work, as it lies in the store. */
export interface FailingChannel extends Required<ChannelFault> {
  channel: Channel;
  /** When it was met last. */
  seenAt: number;
}

/** What an attempt learned about one of the owner's numbers or addresses: undefined when it got its message. */
export interface RecipientNote {
  channel: Channel;
  recipient: string;
  fault: Pick<ChannelFault, "error" | "advice"> | undefined;
}

/** A number or an address that does not get its messages, while its channel works. */
export interface FailingRecipient extends Pick<ChannelFault, "error" | "advice"> {
  channel: Channel;
  recipient: string;
  since: number;
}

/** How an attempt ended, for the row. `error` names the fault without personal data. */
export type AttemptResult = AttemptEnd & {
  /** What changed for its recipients. */
  messages?: Message[];
  channels?: ChannelNote[];
  recipients?: RecipientNote[];
};

type AttemptEnd =
  | { state: "delivered" | "filed"; transport: Transport }
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

/** What an alarm is about: a channel, one recipient of it, applications that were given up, or failing backups. */
export type AlarmSubject = Channel | `${Channel}:${string}` | "needs-owner" | "backup";

/** Applications that were given up. */
export interface GivenUp {
  count: number;
  /** When the last of them was, and why: Korean, for the owner. */
  lastAt: number;
  advice: string | undefined;
}

/** An alarm that this process is to send now; `toldAt` is when the one before it was. */
export interface ClaimedAlarm {
  subject: AlarmSubject;
  toldAt: number | undefined;
}

/** Caps on paid messages, counted over the last hour and the last 24. */
export interface SmsCaps {
  hourly: number;
  daily: number;
}

/** Messages that are about to leave. */
export interface Intent {
  transport: Transport;
  recipients: readonly string[];
  /** For transports that cost money. */
  caps: SmsCaps | undefined;
  now: number;
}

export type IntentResult =
  | { outcome: "recorded" }
  /** One message more would exceed a cap; there is room again at `freeAt`. */
  | { outcome: "capped"; freeAt: number }
  /** As many copies as are allowed may have gone out already. */
  | { outcome: "spent" }
  /** Another worker has leased it since. */
  | { outcome: "lost" };

export interface DeliveryCounts {
  waiting: number;
  leased: number;
  sent: number;
  filed: number;
  delivered: number;
  needsOwner: number;
  /** When the oldest application that is neither sent nor settled came in. */
  oldestWaitingSince: number | undefined;
  /** When the oldest application came in that lies in a file and has reached nobody. */
  oldestFiledSince: number | undefined;
}
