/**
 * A submission: the entry in the outbox, the request, and what became of it. An application has one key and one
 * lock from the first press until it is received or its form is left. A retry has the same key, changed or not:
 * the server recognises an attempt whose answer was lost, and a corrected version replaces the one before. If the
 * server already has the earlier version, the corrected one becomes an application of its own.
 */
import type { Receipt } from "#lib/application/answer.ts";
import type { FormName } from "#lib/application/fields.ts";
import { lock, unlock } from "#lib/browser/application-lock.ts";
import { requestBackgroundSync } from "#lib/browser/background.ts";
import { forgetDraft, saveDraft } from "#lib/browser/draft.ts";
import type { FormValues } from "#lib/browser/form-values.ts";
import { newIdempotencyKey } from "#lib/browser/idempotency-key.ts";
import { changeKey, put, remove } from "#lib/browser/outbox.ts";
import type { OutboxEntry } from "#lib/browser/outbox-entry.ts";
import { saveReceipt } from "#lib/browser/receipt.ts";
import { type Outcome, type Reason, type RefusalDetails, send } from "#lib/browser/send.ts";

/**
 * A page that is being left sees its request fail, but ends before this time has passed: the next page resends
 * what it wrote to the outbox.
 */
const LEFT_WITHIN_MS = 100;

type Result =
  | { kind: "received"; receipt: Receipt }
  /** Not sent, but safe on this device. */
  | { kind: "kept"; reason: Reason | undefined; retryAfterMs: number | undefined }
  /** Not sent, and the browser cannot keep it. */
  | { kind: "unkept"; errorText: string | undefined }
  | ({ kind: "refused" } & RefusalDetails);

/** An application that the server has not acknowledged, in its form. */
export interface Unanswered {
  idempotencyKey: string;
  /** It lies in the outbox. */
  inOutbox: boolean;
  /** The server would not take it as it is. */
  refusal?: RefusalDetails | undefined;
  /** How long the server asked to wait. */
  retryAfterMs?: number | undefined;
}

export interface Submitted {
  result: Result;
  values: FormValues;
  /** Undefined when it never had one. */
  idempotencyKey: string | undefined;
  /** When the button was pressed, ms since the epoch. */
  keptAt: number;
}

/**
 * What it writes before its first `await` survives the end of the tab. Throws only where the browser breaks its own
 * rules.
 */
export async function submit(
  form: FormName,
  values: FormValues,
  { idempotencyKey, inOutbox: wasInOutbox }: Unanswered,
): Promise<Submitted> {
  lock(idempotencyKey);
  let entry: OutboxEntry = { idempotencyKey, form, values, keptAt: Date.now() };
  const { written, durable } = put(entry);
  if (written) forgetDraft(form);
  else saveDraft(form, values, idempotencyKey);
  const isDurable = await durable;
  if (isDurable) {
    forgetDraft(form);
    void requestBackgroundSync();
  }
  let outcome = await send(entry);
  if (outcome.kind === "key-reused") {
    entry = await withNewKey(entry);
    outcome = await send(entry);
  }
  const result = await conclude(outcome, entry, { wasInOutbox, isDurable });
  return { result, values, idempotencyKey: entry.idempotencyKey, keptAt: entry.keptAt };
}

/** After an unexpected failure: the visitor is told that nobody has it, so it is removed here. Never throws. */
export async function giveUp(
  form: FormName,
  values: FormValues,
  key: string | undefined,
): Promise<Submitted> {
  saveDraft(form, values, key);
  if (key !== undefined) await remove(key);
  const result = { kind: "unkept", errorText: undefined } as const;
  return { result, values, idempotencyKey: key, keptAt: Date.now() };
}

async function withNewKey(entry: OutboxEntry): Promise<OutboxEntry> {
  const key = newIdempotencyKey();
  lock(key);
  const renamed = await changeKey(entry, key);
  unlock(entry.idempotencyKey);
  return renamed;
}

async function conclude(
  outcome: Outcome,
  entry: OutboxEntry,
  { wasInOutbox, isDurable }: { wasInOutbox: boolean; isDurable: boolean },
): Promise<Result> {
  const { idempotencyKey, form } = entry;
  switch (outcome.kind) {
    case "received": {
      saveReceipt(outcome.receipt);
      forgetDraft(form);
      // A copy that cannot be deleted now is sent again with the same key, and answered with the same number.
      const removing = remove(idempotencyKey);
      // A database that did not take the entry must not keep the visitor waiting for the receipt.
      if (isDurable) await removing;
      unlock(idempotencyKey);
      return outcome;
    }
    case "refused":
    case "key-reused": {
      const errors = outcome.kind === "refused" ? outcome.errors : {};
      const refusal = { errorText: outcome.errorText, errors };
      // What was in the outbox before stays there for correction; otherwise the visitor hears that nobody has it.
      if (wasInOutbox) await put({ ...entry, refusal }).durable;
      else await giveBack(entry);
      return { kind: "refused", ...refusal };
    }
    case "later": {
      const { reason, retryAfterMs } = outcome;
      // Tried once more: the handle may have been dead.
      if (isDurable || (await put(entry).durable)) {
        forgetDraft(form);
        return { kind: "kept", reason, retryAfterMs };
      }
      await new Promise((resolve) => setTimeout(resolve, LEFT_WITHIN_MS));
      await giveBack(entry);
      return { kind: "unkept", errorText: outcome.errorText };
    }
  }
}

/** The visitor is told that it is not kept, so only the form's draft stays here. */
async function giveBack({ form, values, idempotencyKey }: OutboxEntry): Promise<void> {
  saveDraft(form, values, idempotencyKey);
  await remove(idempotencyKey);
}
