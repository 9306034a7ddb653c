/** What becomes of a message, and the named sets that rule and queries share. A new outcome or state goes here. */
import { type RawBuilder, sql } from "kysely";

/** What became of an attempt at a message. */
export type Outcome = "not-sent" | "unknown" | "accepted" | "delivered" | "rejected";

/**
 * `waiting`: certainly not sent, due at `nextAt`; on another channel than the preferred one it waits in reserve.
 * `capped`: waiting until a cap allows it. `sending`: recorded before the first byte. `unsure`: may have been sent.
 * `accepted`: the provider has it, and can be asked. `refused`: did not get through for now, and is tried again while
 * another channel sends. `ended`: no further attempt.
 */
export type MessageState =
  | ("waiting" | "capped" | "sending" | "unsure")
  | ("accepted" | "delivered" | "refused" | "ended");

/**
 * `new`: its messages are to be planned, or planned again. `open`: something is still to be sent, searched for or
 * answered. `sent`: a provider has it, and is asked what becomes of it. `filed`: written to a file. `done`: the owner
 * has it, or it is no longer needed. `given-up`: a person must act. `closed`: a person has acted.
 */
export type NoticeState = "new" | "open" | "sent" | "filed" | "done" | "given-up" | "closed";

const states = <State extends MessageState | NoticeState>(...set: State[]): readonly State[] => set;

/** The recipient has the message, or its provider has. An acceptance proves that the channel takes messages. */
export const ACCEPTED_OR_DELIVERED = states("accepted", "delivered");
/** The recipient does not get the message, for now or ever. */
export const REFUSED_OR_ENDED = states("refused", "ended");
/** Sent, or perhaps sent. */
export const MAY_HAVE_ARRIVED = states("sending", "unsure", "accepted", "delivered");
/** A first or another copy may be sent. */
export const SENDABLE_MESSAGES = states("waiting", "capped", "unsure", "refused");
/** Something is to be done at `nextAt`: a first attempt, another one, a search or a status check. */
export const PENDING_MESSAGES = states("waiting", "capped", "unsure", "accepted", "refused");
/** Nothing more is sent for a message in such a state. */
export const DONE_SENDING = states("accepted", "delivered", "ended");
/** While a message is in such a state, the other channel sends the notice at once. */
export const NEEDS_OTHER_CHANNEL = states("capped", "refused", "ended");
/** A message of the notice is still to be planned, sent, searched for or answered. */
export const NEW_OR_OPEN = states("new", "open");
/** The delivery is under way: only such a notice is changed by an answer. */
export const NOTICES_UNDER_WAY = states("new", "open", "sent");
/** The worker or a person still has to act. */
export const NEEDS_WORKER_OR_PERSON = states("new", "open", "sent", "filed", "given-up");

export const isIn = <State extends string>(set: readonly State[], state: string): state is State =>
  set.some((each) => each === state);

/** The set in SQL. Its members are literals, so that a partial index fits the query. */
export const sqlIn = (set: readonly string[]): RawBuilder<unknown> =>
  sql.raw(`in (${set.map((state) => `'${state}'`).join(", ")})`);

export const isAcceptedOrDelivered = ({ state }: { state: MessageState }) =>
  isIn(ACCEPTED_OR_DELIVERED, state);

export type FaultAbout = "channel" | "recipient" | "message";

export interface Fault {
  /** The provider's code and text for the log and the operator, without personal data. */
  error: string;
  /** Korean, for the owner: the cause, and what to do. */
  advice: string;
  about: FaultAbout;
}

/** What a channel says of one message to one recipient. */
export interface Answer {
  outcome: Outcome;
  /** The provider's id of the message. A rejected message has an id only if the provider had accepted the message. */
  providerId?: string | undefined;
  /** The provider has handed an accepted message to the mobile network. */
  hasLeftProvider?: boolean | undefined;
  /** Earliest time at which the provider allows a further attempt. */
  notBefore?: number | undefined;
  /** Undefined if nothing failed. A copy that was not allowed is no failure. */
  fault?: Fault | undefined;
}

/** `absent`: the provider's list does not have the message that was searched for. */
export type SearchAnswer = Answer | { outcome: "absent" };
