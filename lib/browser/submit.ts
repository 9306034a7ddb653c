/**
 * One press of the button: keep the application, send it, and say what became of it.
 *
 * The entry stays `held` by its form until the form lets it go (`release`). So the drain cannot send an
 * older text behind the back of a visitor who is correcting it. A retry without changes goes out with
 * the same key, so an attempt whose answer was lost is recognised. Changed values are another application:
 * they get a new key and take the old entry's place in the same transaction. If the visitor leaves
 * instead, the hold ends with the page and the drain sends what was kept.
 */
import type { Receipt } from "#lib/application/answer.ts";
import type { FormName } from "#lib/application/fields.ts";
import { askForSync } from "#lib/browser/background-sync.ts";
import { forgetDraft, saveDraft } from "#lib/browser/draft.ts";
import { type FormValues, sameValues } from "#lib/browser/form-values.ts";
import { hold, release } from "#lib/browser/hold.ts";
import { newIdempotencyKey } from "#lib/browser/idempotency-key.ts";
import { keep, markRefused, remove } from "#lib/browser/outbox.ts";
import type { OutboxEntry } from "#lib/browser/outbox-entry.ts";
import { type Outcome, type Refusal, send } from "#lib/browser/send.ts";

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
  /** The outbox has it: it is no longer a draft. */
  kept: boolean;
  /** How long the server asked to wait. */
  retryAfterMs?: number | undefined;
}

/** The key of the next press: the same while an unanswered attempt's values are unchanged. */
export function keyFor(values: FormValues, previous: Attempt | undefined): string {
  const again = previous !== undefined && !previous.refused && sameValues(values, previous.values);
  return again ? previous.idempotencyKey : newIdempotencyKey();
}

/** Keeps and sends. Never throws. */
export async function submitApplication(
  form: FormName,
  values: FormValues,
  previous: Attempt | undefined,
): Promise<{ result: Result; attempt: Attempt }> {
  const idempotencyKey = keyFor(values, previous);
  const replaced =
    previous?.idempotencyKey === idempotencyKey ? undefined : previous?.idempotencyKey;
  const entry: OutboxEntry = { idempotencyKey, form, values, keptAt: Date.now() };
  hold(idempotencyKey);
  // With its key, so that a tab that ends from here on does not make a second application of it.
  saveDraft(form, { values, idempotencyKey });
  const keptFirst = await succeeds(keep(entry, replaced));
  if (keptFirst) {
    forgetDraft(form);
    void askForSync();
  }
  const outcome = await send(entry);
  const result = await conclude(outcome, entry, keptFirst, replaced);
  const refused = result.kind === "refused";
  const kept = keptFirst || result.kind === "kept";
  if (kept || result.kind === "received") forgetDraft(form);
  const retryAfterMs = outcome.kind === "later" ? outcome.retryAfterMs : undefined;
  return { result, attempt: { idempotencyKey, values, refused, kept, retryAfterMs } };
}

async function conclude(
  outcome: Outcome,
  entry: OutboxEntry,
  kept: boolean,
  replaced: string | undefined,
): Promise<Result> {
  const { idempotencyKey } = entry;
  switch (outcome.kind) {
    case "received": {
      // A copy that cannot be deleted now is sent again with the same key, and answered with the same number.
      const removing = succeeds(
        remove(idempotencyKey, ...(replaced === undefined ? [] : [replaced])),
      );
      // A database that did not take the entry must not keep the visitor waiting for the receipt.
      if (kept) await removing;
      release(idempotencyKey);
      return outcome;
    }
    case "refused": {
      const { errorText, errors } = outcome;
      if (kept) await succeeds(markRefused(idempotencyKey, { errorText, errors }));
      return outcome;
    }
    case "later":
      // Asked once more: the handle may have been dead, the library still on its way.
      if (kept || (await succeeds(keep(entry, replaced)))) {
        return { kind: "kept" };
      }
      return { kind: "unkept", errorText: outcome.errorText };
  }
}

async function succeeds(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch {
    return false;
  }
}
