/**
 * What this device keeps of one application: a record in one state, and the one function that changes it.
 *
 * | event    | nothing  | draft    | waiting                          | refused  | received, expired      |
 * |----------|----------|----------|----------------------------------|----------|------------------------|
 * | typed    | draft    | draft    | waiting: held while it differs   | refused  | itself                 |
 * | pressed  | waiting  | waiting  | waiting                          | waiting  | waiting, a correction  |
 * | unkept   | nothing  | itself   | draft                            | draft    | itself                 |
 * | left     | nothing  | itself   | waiting, no longer held          | itself   | itself                 |
 * | answered | received | received | received                         | received | received               |
 * | refused  | nothing  | itself   | refused                          | itself   | itself                 |
 * | reused   | nothing  | itself   | waiting, a correction            | itself   | itself                 |
 * | later    | nothing  | itself   | waiting, or expired after 7 days | itself   | itself                 |
 * | time     | nothing  | older    | older                            | older    | older, once it is seen |
 * | seen     | nothing  | itself   | itself                           | itself   | seen                   |
 *
 * An answer ends only the version that was sent. When the server has taken an earlier one, the one that is here becomes
 * a correction: an application with a key of its own.
 */
import type { Receipt, RefusalDetails } from "#lib/application/answer.ts";
import type { FormName } from "#lib/application/fields.ts";
import { type FormValues, isEmpty, sameValues } from "#lib/browser/form-values.ts";

import { DRAFT_HOURS, KEEP_DAYS, RECEIPT_HOURS } from "#lib/content/on-device.ts";

const HOUR_MS = 60 * 60 * 1_000;
export const KEEP_MS = KEEP_DAYS * 24 * HOUR_MS;
/** A clock that is set right looks like time that passed: a single step leaves a day of the seven to send in. */
const LONGEST_STEP_MS = KEEP_MS - 24 * HOUR_MS;
/** A form that holds its record renews this; a tab that has crashed no longer does. */
export const HOLD_MS = 30_000;

interface Origin {
  id: string;
  form: FormName;
  /** The tab that it was written in. */
  tab: string;
}

interface Ageing {
  /** The time that this device saw pass, by a clock that can jump. */
  ageMs: number;
  /** When it was looked at last, ms since the epoch. */
  lookedAt: number;
}

interface Written extends Origin, Ageing {
  values: FormValues;
  /** Another one after each change of the values. */
  version: string;
  /** The idempotency key that the values are sent with. */
  key: string;
  /** The key of an earlier version, which the server may have. */
  corrects?: string | undefined;
  /** When it was pressed or changed last, ms since the epoch. */
  at: number;
}

/** Typed, and not pressed. */
export interface Draft extends Written {
  state: "draft";
}

/** Pressed, and not acknowledged by the server. */
export interface Waiting extends Written {
  state: "waiting";
  /** A form is open in which it differs from what was pressed: nobody sends it. */
  held?: { tab: string; until: number } | undefined;
}

/** The server will not take it as it is. */
export interface Refused extends Written {
  state: "refused";
  refusal: RefusalDetails;
}

/** How it ended, without the visitor's data. */
interface End extends Origin, Ageing {
  key: string;
  /** Age counts from here: nothing is removed that the visitor has not seen. */
  seen: boolean;
}

export interface Received extends End {
  state: "received";
  receipt: Receipt;
  /** The answer to a press, told in its own tab. Otherwise every page tells of it. */
  byPress: boolean;
}

export interface Expired extends End {
  state: "expired";
}

export type Kept = Draft | Waiting | Refused | Received | Expired;

type Answer = { sent: Waiting };

interface Writing extends Origin {
  values: FormValues;
  /** The key of another application that this one corrects. */
  corrects?: string | undefined;
  /** Never used before: names the version, or another application. */
  fresh: string;
  now: number;
}

export type Change =
  | (Writing & { type: "typed" /** By the browser's checks. */; valid: boolean; differs: boolean })
  | (Writing & { type: "pressed" })
  | { type: "unkept" }
  | { type: "left"; tab: string }
  | ({ type: "answered"; receipt: Receipt; byPress: boolean; fresh: string; now: number } & Answer)
  | ({ type: "refused"; refusal: RefusalDetails } & Answer)
  | ({ type: "reused"; fresh: string } & Answer)
  | ({ type: "later" } & Answer)
  | { type: "time"; now: number }
  | { type: "seen"; now: number };

type Of<Type extends Change["type"]> = Extract<Change, { type: Type }>;

/** What becomes of a record; undefined is none. */
export function next(record: Kept | undefined, change: Change): Kept | undefined {
  switch (change.type) {
    case "typed":
      return typed(record, change);
    case "pressed":
      return pressed(record, change);
    case "answered":
      return answered(record, change);
    case "time":
      return record && aged(record, change.now);
    case "unkept":
      return record?.state === "waiting" || record?.state === "refused"
        ? { ...writtenOf(record), state: "draft" }
        : record;
    case "seen":
      return record && isEnded(record) && !record.seen
        ? { ...record, seen: true, ageMs: 0, lookedAt: change.now }
        : record;
    default:
      return record?.state === "waiting" ? waited(record, change) : record;
  }
}

/** Whether a form holds it. `isOpenHere`: a form of this page does; another page of its tab cannot live any more. */
export function isHeld({ held }: Waiting, now: number, tab: string, isOpenHere: boolean): boolean {
  if (!held || (held.tab === tab && !isOpenHere)) return false;
  // A time further off was written by a clock that was wrong.
  return held.until > now && held.until <= now + 2 * HOLD_MS;
}

export function isEnded(record: Kept): record is Received | Expired {
  return record.state === "received" || record.state === "expired";
}

function typed(record: Kept | undefined, change: Of<"typed">): Kept | undefined {
  if (record && isEnded(record)) return record;
  if (record?.state === "waiting") {
    const held = change.differs ? { tab: change.tab, until: change.now + HOLD_MS } : undefined;
    return change.valid ? { ...withValues(record, change), held } : { ...record, held };
  }
  if (record?.state === "refused") return withValues(record, change);
  if (isEmpty(change.values)) return undefined;
  const draft: Draft = record ?? { ...blank(change), state: "draft" };
  return withValues(draft, change);
}

export function pressed(record: Kept | undefined, change: Of<"pressed">): Waiting {
  const times = { at: change.now, ageMs: 0, lookedAt: change.now };
  // Under the old key of one that has ended, an answer that is still on its way would end the new one.
  const ended = record && isEnded(record) ? { key: change.fresh, corrects: record.key } : {};
  const written = record && !isEnded(record) ? writtenOf(record) : { ...blank(change), ...ended };
  const before = { ...written, ...times };
  return { ...withValues(before, change), state: "waiting" };
}

/** Without what belongs to its state. */
function writtenOf(record: Draft | Waiting | Refused): Written {
  const { id, form, tab, values, version, key, corrects, at, ageMs, lookedAt } = record;
  return { id, form, tab, values, version, key, corrects, at, ageMs, lookedAt };
}

function answered(record: Kept | undefined, change: Of<"answered">): Kept {
  const { sent, receipt, byPress, fresh, now } = change;
  if (record?.state === "received") return record;
  if (record && !isEnded(record) && !isVersion(record, sent))
    return record.key === sent.key ? { ...record, key: fresh, corrects: sent.key } : record;
  return { ...endOf(sent, now), state: "received", receipt, byPress, seen: byPress };
}

/** Only what waits can be left, refused or put off. */
function waited(record: Waiting, change: Of<"left" | "refused" | "reused" | "later">): Kept {
  switch (change.type) {
    case "left":
      return record.held?.tab === change.tab ? { ...record, held: undefined } : record;
    case "reused":
      return isVersion(record, change.sent) && record.key === change.sent.key
        ? { ...record, key: change.fresh, corrects: change.sent.key }
        : record;
    case "refused":
      if (!isVersion(record, change.sent)) return record;
      return { ...writtenOf(record), state: "refused", refusal: change.refusal };
    case "later":
      // This was the attempt after its time was over.
      return isVersion(record, change.sent) && record.ageMs >= KEEP_MS
        ? { ...endOf(record, record.lookedAt), state: "expired" }
        : record;
  }
}

function aged(record: Kept, now: number): Kept | undefined {
  if (isEnded(record) && !record.seen) return { ...record, lookedAt: now };
  const passed = Math.min(now - record.lookedAt, LONGEST_STEP_MS);
  // A clock that was set back has told nothing true before.
  const older = { ...record, ageMs: passed < 0 ? 0 : record.ageMs + passed, lookedAt: now };
  switch (older.state) {
    case "draft":
      return older.ageMs < DRAFT_HOURS * HOUR_MS ? older : undefined;
    case "refused":
      return older.ageMs < KEEP_MS ? older : { ...endOf(older, now), state: "expired" };
    case "received":
    case "expired":
      return older.ageMs < RECEIPT_HOURS * HOUR_MS ? older : undefined;
    case "waiting":
      return older;
  }
}

function blank({ id, form, tab, values, fresh, corrects, now }: Writing): Written {
  const times = { at: now, ageMs: 0, lookedAt: now };
  return { id, form, tab, values, version: fresh, key: id, corrects, ...times };
}

function withValues<Record extends Written>(
  record: Record,
  { values, fresh, now }: Writing,
): Record {
  if (sameValues(record.values, values)) return record;
  return { ...record, values, version: fresh, at: now, ageMs: 0, lookedAt: now };
}

function isVersion(record: Written, sent: Waiting): boolean {
  return record.version === sent.version;
}

function endOf({ id, form, tab, key }: Written, now: number) {
  return { id, form, tab, key, ageMs: 0, lookedAt: now, seen: false };
}
