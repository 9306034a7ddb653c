/** Types between the delivery and the channels. All times are ms since the epoch. */
import type { StoredApplication } from "#lib/application/stored-application.ts";
import type { ChannelName } from "#lib/channels/names.ts";
import type { Config } from "#lib/config.ts";
import type { Finding } from "#lib/finding.ts";
import type { TrackedApplication } from "#lib/storage/queries/applications.ts";
import type { AttemptResult } from "#lib/storage/queries/outcomes.ts";

/** The reason why another channel carries a message: its own failed or is not configured, or a cap forbids the text. */
export type InsteadOf = ChannelName | "sms-over-cap";

/** A message to the owner. `full-text`: a mail with all of an application whose text message was shortened. */
export type OwnerMessage =
  | {
      kind: "application" | "full-text";
      application: StoredApplication;
      insteadOf?: InsteadOf | undefined;
    }
  /** The applications of a week. The count, by text message, reveals that a summary is missing. */
  | { kind: "weekly-summary" | "weekly-count"; summary: WeeklySummary }
  /** A problem that the owner must solve, in Korean; the first sentence names it. A repeat has the same `id`. */
  | { kind: "alarm"; about: string; id: string; text: string }
  | { kind: "test"; text: string };

export type MessageOf<Kind extends OwnerMessage["kind"]> = Extract<OwnerMessage, { kind: Kind }>;

export interface WeeklySummary {
  /** Whole weeks of Seoul, from `from` up to `until`; the summary is due on the day that begins then. */
  from: number;
  until: number;
  /** The applications, the oldest first. */
  applications: readonly TrackedApplication[];
  /** True when no summary has gone out before. */
  isFirst: boolean;
  now: number;
}

export interface TransmitOptions {
  signal: AbortSignal;
  /** Called once, right before the first byte of the message. Returning false aborts the attempt: nothing goes out. */
  beforeTransmit?: () => Promise<boolean>;
}

/** Describes a message of which nobody knows whether the provider has it. */
export interface MessageQuery {
  applicationId: string;
  recipient: string;
  /** Start of the attempt. */
  since: number;
  /** Provider's ids of other messages about the same application to the same recipient. */
  exceptIds: readonly string[];
}

/** Status requests, for providers that report the delivery later. They never throw: a missing answer is `unknown`. */
interface StatusChecks {
  findMessage(
    query: MessageQuery,
    signal: AbortSignal,
  ): Promise<AttemptResult | { outcome: "absent" }>;
  fetchStatus(providerId: string, signal: AbortSignal): Promise<AttemptResult>;
}

export interface Channel {
  /** The owner's numbers or addresses, each once. */
  readonly recipients: readonly string[];
  /** Longest duration of one transmission, after which the caller's signal aborts it. */
  readonly timeoutMs: number;
  /** Cost for one recipient, in segments of a text message; 0 for mail. */
  segments(message: OwnerMessage): number;
  /** True when the message leaves out a part of the application, because its length is limited. */
  isShortened(message: OwnerMessage): boolean;
  /** Sends to each recipient; one result each, in their order. Never throws. */
  transmit(
    message: OwnerMessage,
    recipients: readonly string[],
    options: TransmitOptions,
  ): Promise<AttemptResult[]>;
  /** Absent for mail, whose Message-ID lets the recipient recognise a repeat. */
  readonly statusChecks?: StatusChecks;
}

/** A kind of channel to the owner, configured or not. Its Korean word is in words.ts. */
export interface ChannelKind {
  /** Limit of simultaneous conversations with the provider. */
  slots: number;
  /** Names of the settings that the channel needs. */
  settings: string;
  /** Opens the channel; undefined when it is not configured. */
  open(config: Config): Channel | undefined;
  /** Findings for the doctor, made without sending a message. Undefined when it is not configured. Never throws. */
  diagnose(config: Config): Promise<Finding[] | undefined>;
  /** Korean: the meaning of `delivered` on this channel. */
  deliveredWords: string;
  /** Korean: where the owner finds a message, and how the next one is not filtered. */
  whereToLook: string;
}
