/** What the delivery engine and the channels say to each other. All times are ms since the epoch. */
import type { StoredApplication } from "#lib/application/stored-application.ts";
import type { Config } from "#lib/config.ts";
import type { Finding } from "#lib/finding.ts";
import type { FollowedApplication } from "#lib/storage/queries/owner.ts";
import type { ChannelName, FaultAbout, Outcome } from "#lib/storage/tables.ts";

/** What goes to the owner. `insteadOf`: the channel that did not work, when another one stands in for it. */
export type OwnerMessage =
  | {
      kind: "application";
      application: StoredApplication;
      insteadOf?: ChannelName | undefined;
      /** Another channel has brought a shortened one: this is the whole of it. */
      whole?: boolean;
    }
  /** Applications that the cap on SMS kept back, in one mail; `id` never belongs to another digest. */
  | { kind: "digest"; id: string; applications: readonly StoredApplication[] }
  /** What came in during a week, and what became of it. */
  | { kind: "weekly"; summary: WeeklySummary; insteadOf?: ChannelName | undefined }
  /** By SMS, that the week's mail has gone out: one that lies in a spam folder is missed. */
  | { kind: "witness"; summary: WeeklySummary }
  /** Something for the owner to mend, in Korean sentences, the first of which names it; `id`: the same for a repeat. */
  | { kind: "alarm"; about: string; id: string; text: string }
  /** A message to try the channel with, at the owner's wish, in Korean sentences. */
  | { kind: "test"; text: string };

/** What a week's summary is made of. Times are ms since the epoch. */
export interface WeeklySummary {
  /** What came in from `from` up to `until`, whole weeks of Seoul; it is due on the day that begins then. */
  from: number;
  until: number;
  /** The oldest first. */
  applications: readonly FollowedApplication[];
  now: number;
}

export interface Fault {
  /** For the log and the operator: the provider's code and text, without addresses or other personal data. */
  error: string;
  /** Korean, for the owner: what is wrong and what to do. */
  advice: string;
  about: FaultAbout;
}

/** How a send to one recipient ended, as far as the channel can know it. */
export interface AttemptResult {
  outcome: Exclude<Outcome, "sending">;
  /** How the provider knows the message; for one that it refused only where it had taken it before. */
  providerId?: string | undefined;
  /** Of an accepted one: it has left the provider. */
  passedOn?: boolean | undefined;
  /** No other try before this. */
  notBefore?: number | undefined;
  /** Absent where nothing was wrong: also for what is `unsent` because `beforeTransmit` said no. */
  fault?: Fault | undefined;
}

export interface SendTerms {
  signal: AbortSignal;
  /** Asked once, right before the message could reach anybody: what fails before that has not gone out. */
  beforeTransmit?: () => Promise<boolean>;
}

/** A message that may be out. */
export interface Sought {
  applicationId: string;
  recipient: string;
  /** When it was begun. */
  since: number;
  /** Messages of the same application to the same recipient that are known by their ids. */
  exceptIds: readonly string[];
}

/** For providers that can be asked about a message afterwards. Neither throws; what is not answered is `unknown`. */
interface Tracking {
  find(sought: Sought, signal: AbortSignal): Promise<AttemptResult | { outcome: "absent" }>;
  /** What became of a message that the provider took. */
  follow(providerId: string, signal: AbortSignal): Promise<AttemptResult>;
}

/** Carries messages to the owner. */
export interface Channel {
  /** The owner's numbers or addresses, each once. */
  readonly recipients: readonly string[];
  /** No send takes longer: its signal aborts then. */
  readonly tryLimitMs: number;
  /** What a message costs one recipient, in segments of a text message; 0 for mail. */
  segments(message: OwnerMessage): number;
  /** Whether the message leaves out some of what there is to say. */
  shortens(message: OwnerMessage): boolean;
  /** One end per recipient, in their order. Never throws; gives up when the signal aborts. */
  send(
    message: OwnerMessage,
    recipients: readonly string[],
    terms: SendTerms,
  ): Promise<AttemptResult[]>;
  /** Absent where a repeat is recognised by the recipient. */
  readonly tracking?: Tracking;
}

/** A way to the owner: what the rest of the program has to know of it. Its word stands in words.ts. */
export interface ChannelKind {
  /** Messages side by side. */
  places: number;
  /** What has to be set in `.env`. */
  settings: string;
  /** Undefined when it is not configured. */
  open(config: Config): Channel | undefined;
  /** What the doctor finds without sending anything; undefined when it is not configured. Never throws. */
  examine(config: Config): Promise<Finding[] | undefined>;
  /** Korean: what a send that was `delivered` means here. */
  arrived: string;
  /** Korean: where to look for it, and what to do so that the next is not filtered. */
  lookFor: string;
}
