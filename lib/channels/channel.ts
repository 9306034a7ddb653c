/** Types between delivery and channels. All times are in ms since the epoch. */

import type { ProviderChannel } from "#lib/channels/names.ts";
import type { Config } from "#lib/config.ts";
import type { Finding } from "#lib/finding.ts";
import type { Answer, SearchAnswer } from "#lib/storage/outcomes.ts";
import type { ApplicationWithState } from "#lib/storage/queries/applications.ts";
import type { StoredApplication } from "#lib/storage/stored-application.ts";

/** The channel that failed for all or `some` recipients or is not configured, or the cap that a text would exceed. */
export type FailoverReason = ProviderChannel | `${ProviderChannel}-some` | "sms-over-cap";

/** `full-text`: the mail with everything of an application whose text message was shortened. */
export type MessageContent =
  | {
      kind: "application" | "full-text";
      application: StoredApplication;
      insteadOf?: FailoverReason | undefined;
    }
  | { kind: "weekly"; summary: WeeklySummary }
  /** Retries of an alarm share its `id`. `text` begins with what is wrong. */
  | { kind: "alarm"; topic: string; id: string; text: string }
  | { kind: "test"; text: string };

export type MessageContentOf<Kind extends MessageContent["kind"]> = Extract<
  MessageContent,
  { kind: Kind }
>;

export interface WeeklySummary {
  /** Whole weeks in Seoul's time: `from` included, `until` excluded. */
  from: number;
  until: number;
  /** The applications of these weeks, the oldest first. */
  applications: readonly ApplicationWithState[];
  /** Earlier applications, without suspicious ones, not marked as called. Empty while none at all is marked. */
  earlierUncalled: readonly ApplicationWithState[];
  isFirst: boolean;
  now: number;
}

export interface TransmitOptions {
  signal: AbortSignal;
  /** Called once, right before the first byte of the message. If it returns false, the message is not sent. */
  beforeTransmit?: () => Promise<boolean>;
}

export interface MessageSearch {
  applicationId: string;
  recipient: string;
  begunAt: number;
  /** The provider's ids of other messages about this application to this recipient. */
  exceptIds: readonly string[];
}

export interface Channel {
  /** The owner's numbers or addresses, without duplicates. */
  readonly recipients: readonly string[];
  /** Limit of simultaneous conversations. Each channel has its own, so that a slow mail delays no text message. */
  readonly slots: number;
  /** The caller aborts a transmission that takes longer. */
  readonly timeoutMs: number;
  /** Cost for one recipient, in segments of a text message; 0 on other channels. */
  segments(message: MessageContent): number;
  isShortened(message: MessageContent): boolean;
  /** Never throws. */
  transmit(message: MessageContent, recipient: string, options: TransmitOptions): Promise<Answer>;
  /** Undefined for files and mail: a mail may be repeated under its Message-ID. A failed request gives `unknown`. */
  readonly statusChecks?: {
    searchForMessage(query: MessageSearch, signal: AbortSignal): Promise<SearchAnswer>;
    fetchStatus(providerId: string, signal: AbortSignal): Promise<Answer>;
  };
}

export interface ChannelDefinition {
  settingNames: string;
  open(config: Config): Channel | undefined;
  /** Sends no message. Never throws. Undefined if the channel is not configured. */
  diagnose(config: Config): Promise<Finding[] | undefined>;
  /** The meaning of `delivered` on this channel, in Korean. */
  deliveredWords: string;
  /** Korean: where the owner finds a message, and how to keep later messages out of the spam folder. */
  whereToLook: string;
  /** Korean: where copies of an application stay that the site cannot delete. */
  whereKept: string;
}
