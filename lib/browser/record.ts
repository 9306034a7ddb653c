/**
 * What this device keeps of one application: a record in one state, and the one function that changes it.
 *
 * | event    | nothing  | draft    | waiting                          | refused  | received, expired      |
 * |----------|----------|----------|----------------------------------|----------|------------------------|
 * | typed    | draft    | draft    | waiting, with what is valid      | refused  | itself                 |
 * | pressed  | waiting  | waiting  | waiting                          | waiting  | waiting, a correction  |
 * | received | received | received | received                         | received | received               |
 * | refused  | nothing  | itself   | refused                          | itself   | itself                 |
 * | reused   | nothing  | itself   | waiting, a correction            | itself   | itself                 |
 * | later    | nothing  | itself   | waiting, or expired after 7 days | itself   | itself                 |
 * | time     | nothing  | older    | older                            | older    | older, once it is seen |
 *
 * received, refused, reused and later are answers. An answer ends only the values that were sent: when the server has
 * taken earlier ones, the record becomes a correction, an application with a key of its own. What is refused or must
 * wait, and was never told to be kept, is a draft again. What is refused stays so while it is corrected.
 */

import type { FormName } from "#lib/application/fields.ts";
import type { Receipt, RefusalDetails } from "#lib/application/response-body.ts";
import { type FormValues, sameValues } from "#lib/browser/form-values.ts";
import { DRAFT_HOURS, KEEP_DAYS, RECEIPT_HOURS } from "#lib/content/on-device.ts";

const HOUR_MS = 60 * 60 * 1_000;
export const KEEP_MS = KEEP_DAYS * 24 * HOUR_MS;
/** A clock that is set right looks like time that passed: a single step leaves a day of the seven to send in. */
const LONGEST_STEP_MS = KEEP_MS - 24 * HOUR_MS;
/** A waiting record ends only by an attempt. */
const LIFE_MS: Record<Kept["state"], number> = {
  draft: DRAFT_HOURS * HOUR_MS,
  waiting: Number.POSITIVE_INFINITY,
  refused: KEEP_MS,
  received: RECEIPT_HOURS * HOUR_MS,
  expired: RECEIPT_HOURS * HOUR_MS,
};

interface Common {
  id: string;
  form: FormName;
  /** The tab that it was written in. */
  tab: string;
  /** The idempotency key. */
  key: string;
  /** The time that this device saw pass, by a clock that can jump. */
  ageMs: number;
  /** When it was looked at last, ms since the epoch. */
  lookedAt: number;
}

interface Written extends Common {
  values: FormValues;
  /** When it was pressed or changed last, ms since the epoch. */
  at: number;
}

/** How it ended, without the visitor's data. */
interface End extends Common {
  /** A visible page has shown the end. The age counts from here. */
  seen: boolean;
}

/** Typed, and not pressed. */
export type Draft = Written & { state: "draft" };
/** Pressed, and not acknowledged by the server. */
export type Waiting = Written & {
  state: "waiting";
  /** The visitor knew before the press that this device has it. */
  wasKept: boolean;
};
/** The server will not take it as it is. */
export type Refused = Written & {
  state: "refused";
  refusal: RefusalDetails;
  /** The tab whose form corrects it. */
  correctIn?: string | undefined;
};
/** `byPress`: the answer to a press, shown in its own tab. Every page shows the others. */
export type Received = End & { state: "received"; receipt: Receipt; byPress: boolean };
export type Expired = End & { state: "expired" };
export type Kept = Draft | Waiting | Refused | Received | Expired;

/** Why an application could not be sent, where that is known. */
export type Reason = "connection" | "busy" | "unavailable";

export type Outcome =
  | { kind: "received"; receipt: Receipt }
  | { kind: "refused"; refusal: RefusalDetails }
  /**
   * `later`: not known to have arrived, to be sent again with the same key. `reused`: the server has the key with
   * other content, so this is another application and needs a key of its own.
   */
  | { kind: "later" | "reused"; errorText: string | undefined; reason: Reason | undefined };

type Writing = Pick<Written, "id" | "form" | "tab" | "values"> & { now: number };

export type Change =
  | (Writing & { type: "typed"; valid: boolean })
  | (Writing & { type: "pressed" })
  | {
      type: "answered";
      sent: Waiting;
      outcome: Outcome;
      byPress: boolean;
      /** The visitor knows, or learns now, that this device has the application. */
      isKept: boolean;
      now: number;
    }
  /** `isLook`: by a page that the visitor looks at. */
  | { type: "time"; now: number; isLook: boolean };

type Of<Type extends Change["type"]> = Extract<Change, { type: Type }>;

/** The key of what corrects an application. Derived: where one is lost with its page, the next one is the same. */
const keyAfter = (key: string) => `${key}-`;

/** The key of the application that this one corrects, which the server may have. */
export const keyBefore = (key: string) => (key.endsWith("-") ? key.slice(0, -1) : undefined);

/** The record after a change; undefined means none. */
export function next(record: Kept | undefined, change: Change): Kept | undefined {
  switch (change.type) {
    case "typed":
      return typed(record, change);
    case "pressed":
      return pressed(record, change);
    case "answered":
      return answered(record, change);
    case "time":
      return record && aged(record, change);
  }
}

export function isEnded(record: Kept): record is Received | Expired {
  return record.state === "received" || record.state === "expired";
}

function typed(record: Kept | undefined, change: Of<"typed">): Kept | undefined {
  const { type: _, valid, now, ...writing } = change;
  const { values } = writing;
  const times = { at: now, ageMs: 0, lookedAt: now };
  if (!record || record.state === "draft") {
    if (sameValues(values, {})) return undefined;
    const draft = record ?? { ...writing, state: "draft", key: writing.id, ...times };
    return sameValues(draft.values, values) ? draft : { ...draft, values, ...times };
  }
  if (isEnded(record) || (record.state === "waiting" && !valid)) return record;
  return sameValues(record.values, values) ? record : { ...record, values, ...times };
}

/** A press after an end makes a new application, which corrects the ended one. */
export function pressed(record: Kept | undefined, change: Of<"pressed">): Waiting {
  const { id, form, tab, values, now } = change;
  const key = record && isEnded(record) ? keyAfter(record.key) : (record?.key ?? id);
  const wasKept = record?.state === "waiting" || record?.state === "refused";
  const times = { at: now, ageMs: 0, lookedAt: now };
  return { state: "waiting", id, form, tab, key, values, wasKept, ...times };
}

function answered(record: Kept | undefined, change: Of<"answered">): Kept | undefined {
  const { sent, outcome, byPress, isKept, now } = change;
  const written = record && !isEnded(record) ? record : undefined;
  const isSame = written !== undefined && sameValues(written.values, sent.values);
  const correction = written?.key === sent.key ? { ...written, key: keyAfter(sent.key) } : written;
  if (outcome.kind === "received") {
    if (record?.state === "received") return record;
    if (correction && !isSame) return correction;
    const { receipt } = outcome;
    return { ...endOf(sent, now), state: "received", receipt, byPress, seen: byPress };
  }
  if (record?.state !== "waiting" || !isSame) return record;
  if (outcome.kind === "reused") return correction;
  if (!isKept) return { ...record, state: "draft" };
  if (outcome.kind === "refused") return { ...record, state: "refused", refusal: outcome.refusal };
  // This may have been the attempt after its time was over.
  return record.ageMs >= KEEP_MS ? { ...endOf(record, record.lookedAt), state: "expired" } : record;
}

function aged(record: Kept, { now, isLook }: Of<"time">): Kept | undefined {
  if (isEnded(record) && !record.seen) return { ...record, seen: isLook, lookedAt: now };
  const passed = Math.min(now - record.lookedAt, LONGEST_STEP_MS);
  const older = { ...record, ageMs: record.ageMs + passed, lookedAt: now };
  if (older.ageMs < LIFE_MS[older.state]) return older;
  return older.state === "refused" ? { ...endOf(older, now), state: "expired" } : undefined;
}

function endOf({ id, form, tab, key }: Written, now: number) {
  return { id, form, tab, key, ageMs: 0, lookedAt: now, seen: false };
}
