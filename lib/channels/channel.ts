import type { AlarmSubject } from "#lib/application/delivery.ts";
import type { Channel, StoredApplication } from "#lib/application/stored-application.ts";
import type { WeeklySummary } from "#lib/channels/weekly-summary.ts";

/** What goes to the owner. */
export type OwnerMessage =
  | {
      kind: "application";
      application: StoredApplication;
      /** The channel that did not work, when this one stands in for it. */
      insteadOf?: Channel | undefined;
      /** The other channel has carried a shortened one: this is the whole of it. */
      whole?: boolean;
    }
  /** Applications that the cap on SMS kept back, in one mail. */
  | { kind: "digest"; id: string; applications: readonly StoredApplication[] }
  /** What came in during a week, and what became of it; `insteadOf` as above. */
  | { kind: "weekly"; summary: WeeklySummary; insteadOf?: Channel | undefined }
  /** Something for the owner to mend, in Korean sentences. */
  | { kind: "alarm"; about: AlarmSubject; text: string }
  /** A message to try the channel with, at the owner's wish, in Korean sentences. */
  | { kind: "test"; text: string };

/** What can go by SMS too: all but the digest, which is for what the caps on SMS keep back. */
export type TextableMessage = Exclude<OwnerMessage, { kind: "digest" }>;

interface Fault {
  /** For the log and the operator: names the fault without personal data. */
  error: string;
  /** Korean, for the owner: what is wrong and what to do. */
  advice: string;
}

/** How a send to one recipient ended, as far as the channel can know it. */
export type SendOutcome =
  /** It is there, as far as anybody can say. */
  | { outcome: "delivered"; providerId: string | undefined }
  /** The provider took it and will know more later. `passedOn`: it has left the provider. */
  | { outcome: "accepted"; providerId: string; passedOn: boolean }
  /** It did not go out, another try may succeed; not before `notBefore` (ms since the epoch) when named. */
  | ({ outcome: "retry"; notBefore?: number } & Fault)
  /** Refused for good as things stand: this channel for all, or this recipient. */
  | ({ outcome: "refused"; dead: "channel" | "recipient"; providerId?: string } & Fault)
  /** It may be out or not. */
  | ({ outcome: "unknown" } & Fault)
  /** `mayLeave` said no: nothing went out, and nothing was wrong. */
  | { outcome: "held" };

interface SendTerms {
  signal: AbortSignal;
  /**
   * Asked once, at the last moment before the message could reach anybody: here the engine notes that it is
   * about to leave. What fails before that is known not to have gone out.
   */
  mayLeave?: () => Promise<boolean>;
}

/** For providers that can be asked about a message afterwards. Neither throws. */
interface Tracking {
  /** A message that may be out: its outcome, or `absent`; `unknown` when the provider cannot say now. */
  find(
    sought: { applicationId: string; recipient: string; exceptId: string | undefined },
    signal: AbortSignal,
  ): Promise<SendOutcome | { outcome: "absent" }>;
  /** What became of a message that the provider took. */
  follow(providerId: string, signal: AbortSignal): Promise<SendOutcome>;
}

/** Carries messages to the owner. */
export interface MessageChannel<Carried extends OwnerMessage = OwnerMessage> {
  /** The owner's numbers or addresses. */
  readonly recipients: readonly string[];
  /** No send takes longer. One that does not end by itself has to be ended by its signal. */
  readonly tryLimitMs: number;
  /** One outcome per recipient, in their order. Never throws; gives up when the signal aborts. */
  send(message: Carried, recipients: readonly string[], terms: SendTerms): Promise<SendOutcome[]>;
  /** Absent where a repeat is recognised by the recipient. */
  readonly tracking?: Tracking;
  close(): Promise<void>;
}
