/**
 * The press of the button itself: all of it happens at once, in the page's first code, so that what the
 * visitor has pressed is on the device before anything is waited for. submit.ts does the rest, and is
 * loaded when the page is idle.
 *
 * The entry stays `held` by its form until the form lets it go (`release`). So the drain cannot send an
 * older text behind the back of a visitor who is correcting it. A retry without changes goes out with
 * the same key, so an attempt whose answer was lost is recognised. Changed values are another application:
 * they get a new key and take the old entry's place. If the visitor leaves instead, the hold ends with
 * the page and the drain sends what was kept.
 */
import type { Receipt } from "#lib/application/answer.ts";
import type { FormName } from "#lib/application/fields.ts";
import { forgetDraft, saveDraft } from "#lib/browser/draft.ts";
import { type FormValues, sameValues } from "#lib/browser/form-values.ts";
import { hold } from "#lib/browser/hold.ts";
import { newIdempotencyKey } from "#lib/browser/idempotency-key.ts";
import type { OutboxEntry } from "#lib/browser/outbox-entry.ts";
import type { Refusal } from "#lib/browser/send.ts";
import { strikeOut, writeAhead } from "#lib/browser/write-ahead.ts";

export type Result =
  | { kind: "received"; receipt: Receipt }
  /** Not sent, but safe on this device. */
  | { kind: "kept" }
  /** Not sent, and the browser cannot keep it. */
  | { kind: "unkept"; errorText: string | undefined }
  | ({ kind: "refused" } & Refusal);

/** An attempt that has not been received: what the next press continues or replaces. */
export interface Attempt {
  idempotencyKey: string;
  values: FormValues;
  refused: boolean;
  /** It is on the device: no longer a draft. */
  kept: boolean;
  /** How long the server asked to wait. */
  retryAfterMs?: number | undefined;
}

export interface Press {
  entry: OutboxEntry;
  /** The key of the entry that this one takes the place of. */
  replaced: string | undefined;
  /** It survives the end of the page from now on. */
  writtenAhead: boolean;
}

/** The key of the next press: the same while an unanswered attempt's values are unchanged. */
export function keyFor(values: FormValues, previous: Attempt | undefined): string {
  const again = previous !== undefined && !previous.refused && sameValues(values, previous.values);
  return again ? previous.idempotencyKey : newIdempotencyKey();
}

/** Takes the application into the form's hands and onto the device. Never throws. */
export function press(form: FormName, values: FormValues, previous: Attempt | undefined): Press {
  const idempotencyKey = keyFor(values, previous);
  const replaced =
    previous?.idempotencyKey === idempotencyKey ? undefined : previous?.idempotencyKey;
  const entry: OutboxEntry = { idempotencyKey, form, values, keptAt: Date.now() };
  hold(idempotencyKey);
  const ahead = writeAhead({ ...entry, replaces: replaced });
  if (ahead) {
    forgetDraft(form);
    if (replaced !== undefined) strikeOut(replaced);
  } else {
    // With its key, so that a tab that ends from here on does not make a second application of it.
    saveDraft(form, { values, idempotencyKey });
  }
  return { entry, replaced, writtenAhead: ahead };
}

/** What became of a press for which the code that sends did not come: the network went before it. */
export function unsent({ entry: { idempotencyKey, values }, writtenAhead: kept }: Press) {
  const result: Result = kept ? { kind: "kept" } : { kind: "unkept", errorText: undefined };
  const attempt: Attempt = { idempotencyKey, values, refused: false, kept };
  return { result, attempt };
}
