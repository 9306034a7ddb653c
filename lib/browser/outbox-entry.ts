/** What the outbox holds. */
import type { Receipt } from "#lib/application/answer.ts";
import { FORM_NAMES, type FormName } from "#lib/application/fields.ts";
import { type FormValues, storedValues } from "#lib/browser/form-values.ts";
import type { RefusalDetails } from "#lib/browser/send.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** As long as the server knows the key, so that sending again never makes a second application. */
export const KEEP_DAYS = 7;
const RECEIPT_SHOWN_MS = DAY_MS;
/** No application is older than the site: an earlier time means that the device's clock was wrong. */
const FIRST_POSSIBLE_MS = Date.UTC(2026, 0, 1);

/** An application that the server has not acknowledged. */
export interface OutboxEntry {
  idempotencyKey: string;
  form: FormName;
  values: FormValues;
  /** When the visitor pressed the button or last changed it, ms since the epoch. */
  keptAt: number;
  /** The server will not take it as it is: no longer sent, shown for correction. */
  refusal?: RefusalDetails | undefined;
}

/** How a kept application ended, without its personal data; shown until the visitor closes it. */
export type Ending = { idempotencyKey: string; endedAt: number } & (
  | { kind: "sent"; receipt: Receipt }
  | { kind: "expired" }
);

/** What the visitor is told in place of the application number. */
export function temporaryNumber(keptAt: number): string {
  return `OFFLINE-${keptAt}`;
}

/** When it is deleted unsent, ms since the epoch. */
export function expiresAt(keptAt: number): number {
  return keptAt + KEEP_DAYS * DAY_MS;
}

/** Whether it has expired and may not be sent again. */
export function isExpired({ keptAt }: Pick<OutboxEntry, "keptAt">, now: number): boolean {
  return !isClockWrong({ keptAt }, now) && now >= expiresAt(keptAt);
}

/** Whether the device's clock was wrong when the entry was kept, or is wrong now. Its time means nothing then. */
export function isClockWrong({ keptAt }: Pick<OutboxEntry, "keptAt">, now: number): boolean {
  return keptAt < FIRST_POSSIBLE_MS || keptAt > now;
}

/** Whether an ending has been shown long enough. */
export function isPast(ending: Pick<Ending, "endedAt">, now: number): boolean {
  return now - ending.endedAt >= RECEIPT_SHOWN_MS;
}

/** The entry in what was stored as a text, or undefined when it is none. */
export function entryIn(text: string): OutboxEntry | undefined {
  const stored = parsed(text);
  if (typeof stored !== "object" || stored === null) return undefined;
  if (!("idempotencyKey" in stored && "form" in stored && "keptAt" in stored)) return undefined;
  const { idempotencyKey, keptAt } = stored;
  if (typeof idempotencyKey !== "string" || typeof keptAt !== "number") return undefined;
  const form = FORM_NAMES.find((name) => name === stored.form);
  const values = storedValues(stored);
  return form && values ? { idempotencyKey, form, values, keptAt } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
