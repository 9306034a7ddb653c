import { sql } from "kysely";
import type { AttemptOutcome, FaultAbout } from "#lib/storage/tables.ts";

/** The outcome of one message to one recipient, as reported by its channel. */
export interface AttemptResult {
  outcome: Exclude<AttemptOutcome, "sending">;
  /** The provider's id of the message. A rejected message has an id only if the provider had accepted the message. */
  providerId?: string | undefined;
  /** The provider has handed an accepted message to the mobile network. */
  hasLeftProvider?: boolean | undefined;
  /** Earliest time at which the provider allows a further attempt. */
  notBefore?: number | undefined;
  /** Undefined if nothing failed, also if `beforeTransmit` returned false. */
  fault?: Fault | undefined;
}

export interface Fault {
  /** The provider's code and text for the log and the operator, without personal data. */
  error: string;
  /** Korean, for the owner: the cause, and what to do. */
  advice: string;
  about: FaultAbout;
}

export const REACHED_OUTCOMES = sql`('accepted', 'delivered')`;
export const isReached = (outcome: AttemptOutcome) =>
  outcome === "accepted" || outcome === "delivered";
export const isDoubtful = (outcome: AttemptOutcome) =>
  outcome === "sending" || outcome === "unknown";

/** True if the message certainly costs nothing. An accepted message has its price, even if it is not delivered. */
export const isUncharged = ({ outcome, providerId }: AttemptResult) =>
  outcome === "not-sent" || (outcome === "rejected" && providerId === undefined);
