/**
 * An application on this device: a record in one state, and the pure function that changes it.
 *
 * | event                           | none     | queued   | rejected | received | expired  |
 * |---------------------------------|----------|----------|----------|----------|----------|
 * | answered: received              | received | received | received | received | received |
 * | answered: rejected              | none     | rejected | rejected | received | expired  |
 * | answered: later                 | none     | queued   | rejected | received | expired  |
 * | answered: later, after 7 days   | none     | expired  | rejected | received | expired  |
 * | removed                         | none     | none     | none     | none     | none     |
 * | tick                            | none     | queued   | rejected | received | expired  |
 * | tick, after the state's life    | none     | queued   | expired  | none     | none     |
 *
 * A submission is not an event: it stores the record of `createQueued`, whatever the state was.
 */

import type { FormName } from "#lib/application/fields.ts";
import type { Receipt, RefusalDetails } from "#lib/application/response-body.ts";
import type { FormValues } from "#lib/browser/form-values.ts";
import { RECEIPT_HOURS, RECORD_DAYS } from "#lib/content/on-device.ts";

const HOUR_MS = 60 * 60 * 1_000;
export const RECORD_LIFE_MS = RECORD_DAYS * 24 * HOUR_MS;
/** The most age that one tick adds, so that a jump of the clock alone does not end a record's seven days. */
const LONGEST_TICK_MS = RECORD_LIFE_MS - 24 * HOUR_MS;
/** Age at which a tick ends a state. Only a failed request makes a queued record expire. */
const LIFE_MS = {
  queued: Number.POSITIVE_INFINITY,
  rejected: RECORD_LIFE_MS,
  received: RECEIPT_HOURS * HOUR_MS,
  expired: RECEIPT_HOURS * HOUR_MS,
} as const;

interface Common {
  id: string;
  form: FormName;
  /** Id of the tab that submitted the application. */
  tab: string;
  /** Time of the change into this state (`rejected`: of the submission), ms since the epoch. Orders the records. */
  at: number;
  /** Age since `at`: the sum of the ticks, because the clock can jump. */
  ageMs: number;
  /** Time of the last tick, ms since the epoch. */
  tickedAt: number;
}

export type Queued = Common & { state: "queued"; values: FormValues };
export type Rejected = Common & { state: "rejected"; values: FormValues; refusal: RefusalDetails };
/** `seen`: a visible page has shown the receipt, whose age counts from then on. */
type Received = Common & {
  state: "received";
  receipt: Receipt;
  /** True if the form itself has shown the receipt, so that a notice does not announce the receipt again. */
  toldByForm: boolean;
  seen: boolean;
};
type Expired = Common & { state: "expired"; seen: boolean };
export type DeviceRecord = Queued | Rejected | Received | Expired;

export type FailureReason = "connection" | "busy" | "unavailable";

export type SendOutcome =
  | { kind: "received"; receipt: Receipt }
  | { kind: "rejected"; refusal: RefusalDetails }
  /** The application may or may not have arrived, so it is sent again with the same key. */
  | { kind: "later"; errorText: string | undefined; reason: FailureReason | undefined };

export type RecordEvent =
  | { type: "answered"; sent: Queued; outcome: SendOutcome; toldByForm: boolean; now: number }
  | { type: "removed" }
  /** `isSeen`: a visible page shows the record. */
  | { type: "tick"; now: number; isSeen: boolean };

type EventOf<Type extends RecordEvent["type"]> = Extract<RecordEvent, { type: Type }>;

export function nextRecord(
  record: DeviceRecord | undefined,
  event: RecordEvent,
): DeviceRecord | undefined {
  if (event.type === "removed") return undefined;
  if (event.type === "answered") return answered(record, event);
  return record && ticked(record, event);
}

/** The seven days of a record begin again when the same values are submitted again. */
export function createQueued(
  submission: Pick<Queued, "id" | "form" | "tab" | "values">,
  now: number,
): Queued {
  return { ...submission, state: "queued", at: now, ageMs: 0, tickedAt: now };
}

function answered(
  record: DeviceRecord | undefined,
  { sent, outcome, toldByForm, now }: EventOf<"answered">,
): DeviceRecord | undefined {
  if (outcome.kind === "received") {
    if (record?.state === "received") return record;
    const { receipt } = outcome;
    return { ...enterState(sent, now), state: "received", receipt, toldByForm, seen: toldByForm };
  }
  if (record?.state !== "queued") return record;
  if (outcome.kind === "rejected")
    return { ...record, state: "rejected", refusal: outcome.refusal };
  return record.ageMs < RECORD_LIFE_MS ? record : createExpired(record, now);
}

function ticked(record: DeviceRecord, { now, isSeen }: EventOf<"tick">): DeviceRecord | undefined {
  if ("seen" in record && !record.seen) return { ...record, seen: isSeen, tickedAt: now };
  const passed = Math.min(Math.max(now - record.tickedAt, 0), LONGEST_TICK_MS);
  const older = { ...record, ageMs: record.ageMs + passed, tickedAt: now };
  if (older.ageMs < LIFE_MS[older.state]) return older;
  return older.state === "rejected" ? createExpired(older, now) : undefined;
}

function createExpired(record: DeviceRecord, now: number): Expired {
  return { ...enterState(record, now), state: "expired", seen: false };
}

function enterState({ id, form, tab }: DeviceRecord, now: number): Common {
  return { id, form, tab, at: now, ageMs: 0, tickedAt: now };
}

/** The first failed request after this time, ms since the epoch, makes a queued record expire. */
export function expiresAt({ ageMs, tickedAt }: Queued, now: number): number {
  return Math.min(tickedAt, now) + RECORD_LIFE_MS - ageMs;
}
