/** What the outbox holds. */
import type { Receipt } from "#lib/application/answer.ts";
import type { FormName } from "#lib/application/fields.ts";
import type { FormValues } from "#lib/browser/form-values.ts";
import type { Refusal } from "#lib/browser/send.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** As long as the server knows the key, so that sending again never makes a second application. */
export const KEEP_DAYS = 7;
const RECEIPT_SHOWN_MS = DAY_MS;

/** An application that the server has not acknowledged. */
export interface OutboxEntry {
  idempotencyKey: string;
  form: FormName;
  values: FormValues;
  /** When the visitor pressed the button, ms since the epoch. */
  keptAt: number;
  /** The server will not take it as it is: no longer sent, shown for correction. */
  refusal?: Refusal;
}

/** How a kept application ended, without its personal data; shown until the visitor closes it. */
export type Ending = { idempotencyKey: string; endedAt: number } & (
  | { kind: "sent"; receipt: Receipt }
  | { kind: "expired" }
);

/** When it is deleted unsent, ms since the epoch. */
export function expiresAt(keptAt: number): number {
  return keptAt + KEEP_DAYS * DAY_MS;
}

/** Whether the time is over in which it may be sent again. */
export function isExpired(entry: Pick<OutboxEntry, "keptAt">, now: number): boolean {
  return now >= expiresAt(entry.keptAt);
}

/** Whether an ending has been shown long enough. */
export function isPast(ending: Pick<Ending, "endedAt">, now: number): boolean {
  return now - ending.endedAt >= RECEIPT_SHOWN_MS;
}
