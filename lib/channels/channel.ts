/** Types between delivery and channels. All times are in ms since the epoch. */
import type { StoredApplication } from "#lib/application/stored-application.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import type { Config } from "#lib/config.ts";
import type { Finding } from "#lib/finding.ts";
import type { TrackedApplication } from "#lib/storage/queries/applications.ts";
import type { AttemptResult } from "#lib/storage/queries/outcomes.ts";

/** Why another channel sends a message: its own failed or is not configured, or the text would exceed a cap. */
export type FailoverReason = ChannelName | "sms-over-cap";

/** A message to the owner. `full-text`: a mail with all of an application whose text message was shortened. */
export type OwnerMessage =
  | {
      kind: "application" | "full-text";
      application: StoredApplication;
      insteadOf?: FailoverReason | undefined;
    }
  /** The applications of a week by mail, and their number as a text message, which reveals a lost mail. */
  | { kind: "weekly-summary" | "weekly-count"; summary: WeeklySummary }
  /** A problem for the owner; the first sentence names it. `about`: the topic of the job. A repeat keeps its `id`. */
  | { kind: "alarm"; about: string; id: string; text: string }
  | { kind: "test"; text: string };

export type MessageOf<Kind extends OwnerMessage["kind"]> = Extract<OwnerMessage, { kind: Kind }>;

export interface WeeklySummary {
  /** Whole weeks in Seoul's time: `from` included, `until` excluded. */
  from: number;
  until: number;
  /** The applications, the oldest first. */
  applications: readonly TrackedApplication[];
  /** True if no earlier summary was sent. */
  isFirst: boolean;
  now: number;
}

export interface TransmitOptions {
  signal: AbortSignal;
  /** Called once, right before the first byte of the message. If it returns false, nothing is sent. */
  beforeTransmit?: () => Promise<boolean>;
}

/** A message of which nobody knows whether the provider has it. */
export interface MessageQuery {
  applicationId: string;
  recipient: string;
  /** Time at which the attempt began. */
  since: number;
  /** The provider's ids of other messages about the same application to the same recipient. */
  exceptIds: readonly string[];
}

/** Requests to a provider that reports the delivery later. They never throw: a missing answer is `unknown`. */
interface StatusChecks {
  findMessage(
    query: MessageQuery,
    signal: AbortSignal,
  ): Promise<AttemptResult | { outcome: "absent" }>;
  fetchStatus(providerId: string, signal: AbortSignal): Promise<AttemptResult>;
}

export interface Channel {
  /** The owner's numbers or addresses, without duplicates. */
  readonly recipients: readonly string[];
  /** The longest duration of one transmission, after which the caller's signal aborts it. */
  readonly timeoutMs: number;
  /** Cost for one recipient, in segments of a text message; 0 for mail. */
  segments(message: OwnerMessage): number;
  /** True if the message leaves out a part of the application, because its length is limited. */
  isShortened(message: OwnerMessage): boolean;
  /** Sends to each recipient. The results are in the same order. Never throws. */
  transmit(
    message: OwnerMessage,
    recipients: readonly string[],
    options: TransmitOptions,
  ): Promise<AttemptResult[]>;
  /** Undefined for mail: a mail may be repeated, because its Message-ID marks it as the same one. */
  readonly statusChecks?: StatusChecks;
}

export interface ChannelKind {
  /** How many conversations with the provider may run at once. */
  slots: number;
  /** The names of the channel's settings in `.env`. */
  settings: string;
  /** Undefined if the channel is not configured. */
  open(config: Config): Channel | undefined;
  /** Findings for the doctor, without sending a message. Undefined if the channel is not configured. Never throws. */
  diagnose(config: Config): Promise<Finding[] | undefined>;
  /** The meaning of `delivered` on this channel, in Korean. */
  deliveredWords: string;
  /** Korean: where the owner finds a message, and how to keep the next one out of the spam. */
  whereToLook: string;
}
