/** Which outcomes mean that the owner was reached, and which cost nothing. */
import { sql } from "kysely";
import type { AttemptOutcome, FaultAbout } from "#lib/storage/tables.ts";

/** Outcome of one message to one recipient, as far as its channel knows it. */
export interface AttemptResult {
  outcome: Exclude<AttemptOutcome, "sending">;
  /** The provider's id of the message. A rejected one has it only where the provider had accepted it before. */
  providerId?: string | undefined;
  /** The provider has handed an accepted message to the mobile network. */
  hasLeftProvider?: boolean | undefined;
  /** Time before which the provider asks for no further attempt. */
  notBefore?: number | undefined;
  /** Absent where nothing failed, also when `beforeTransmit` returned false. */
  fault?: Fault | undefined;
}

export interface Fault {
  /** The provider's code and text for the log and the operator, without addresses or other personal data. */
  error: string;
  /** Korean, for the owner: the cause, and what to do. */
  advice: string;
  about: FaultAbout;
}

/** Outcomes of messages that have reached the owner, as far as we know. */
export const REACHED_OUTCOMES = sql`('accepted', 'delivered')`;
export const isReached = (outcome: AttemptOutcome) =>
  outcome === "accepted" || outcome === "delivered";

/** True for a message that certainly did not leave. An accepted one costs something, even if it is not delivered. */
export const isUncharged = ({ outcome, providerId }: AttemptResult) =>
  outcome === "not-sent" || (outcome === "rejected" && providerId === undefined);
