/**
 * What a device stores of an application: the application itself until the server answers, then the receipt.
 *
 * | event                               | nothing  | kept     | refused  | received |
 * |-------------------------------------|----------|----------|----------|----------|
 * | submitted                           | kept     | kept     |          | kept     |
 * | answered: received                  | received | received | received | received |
 * | answered: refused                   | nothing  | refused  | refused  | received |
 * | answered: later                     | nothing  | kept     | refused  | received |
 * | taken back                          | nothing  | nothing  | nothing  | received |
 * | deleted                             | nothing  | nothing  | nothing  | nothing  |
 * | seven days after it was received    |          |          |          | nothing  |
 *
 * "Refused" is a kept application with a refusal. Its key is never submitted again. The key of a receipt may be
 * submitted again by a form that did not learn of the receipt: the server then repeats it.
 */
import { DAY } from "#lib/application/durations.ts";
import type { FormName } from "#lib/application/fields.ts";
import type { Receipt, RefusalDetails } from "#lib/application/response-body.ts";
import type { FormValues } from "#lib/browser/form-values.ts";
import { RECEIPT_DAYS } from "#lib/content/on-device.ts";

const RECEIPT_LIFE_MS = RECEIPT_DAYS * DAY;

export interface SubmittedApplication {
  /** The idempotency key, made at the submission. It belongs to these values. */
  id: string;
  form: FormName;
  values: FormValues;
  /** Time of the submission, ms since the epoch. */
  at: number;
  /** Set once the server has refused the application, which is then not sent again. */
  refusal?: RefusalDetails;
}

/** A receipt, without the name and the phone number of the application. */
export interface ReceiptEntry {
  id: string;
  /** Time at which the device received the receipt, ms since the epoch. */
  at: number;
  receipt: Receipt;
}

export type Entry = SubmittedApplication | ReceiptEntry;

export function isKept(entry: Entry | undefined): entry is SubmittedApplication {
  return entry !== undefined && "values" in entry;
}

/** True for an application that has to be sent. */
export function isWaiting(entry: Entry): entry is SubmittedApplication {
  return isKept(entry) && !entry.refusal;
}

export function isExpiredReceipt(entry: Entry, now: number): boolean {
  return !isKept(entry) && now - entry.at > RECEIPT_LIFE_MS;
}

export type FailureReason = "connection" | "busy" | "unavailable";

export type SendOutcome =
  | { kind: "received"; receipt: Receipt }
  | { kind: "refused"; refusal: RefusalDetails }
  /** The application may or may not have arrived, so every repeat of it has the same key. */
  | { kind: "later"; errorText: string | undefined; reason: FailureReason | undefined };

export type Failure = Exclude<SendOutcome, { kind: "received" }>;

/** The entry after the server's answer to the application `id`. */
export function applyOutcome(
  entry: Entry | undefined,
  id: string,
  outcome: SendOutcome,
  now: number,
): Entry | undefined {
  if (outcome.kind === "received")
    return entry && !isKept(entry) ? entry : { id, at: now, receipt: outcome.receipt };
  if (outcome.kind === "later" || !isKept(entry)) return entry;
  return { ...entry, refusal: outcome.refusal };
}
