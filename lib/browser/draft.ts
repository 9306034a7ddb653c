/**
 * What was typed into a form and not sent yet, so that a reload or a crashed tab does not lose it. It lies
 * in the tab's own session storage, and goes with the press, once that is on the device in another way.
 */
import { FIELD_NAMES, FORM_NAMES, type FormName } from "#lib/application/fields.ts";
import { type FormValues, storedValues } from "#lib/browser/form-values.ts";
import { expiresAt } from "#lib/browser/outbox-entry.ts";

export interface Draft {
  values: FormValues;
  /** Of the press that has not been answered, so that the next one continues it. */
  idempotencyKey?: string | undefined;
}

const nameOf = (form: FormName) => `draft-${form}`;

/** Keeps a draft in place of the one before; nothing is kept of an empty form. */
export function saveDraft(form: FormName, { values, idempotencyKey }: Draft): void {
  if (FIELD_NAMES.every((field) => values[field] === "")) {
    forgetDraft(form);
    return;
  }
  const text = JSON.stringify({ values, idempotencyKey, savedAt: Date.now() });
  attempt((storage) => storage.setItem(nameOf(form), text));
}

export function readDraft(form: FormName): Draft | undefined {
  return attempt((storage) => {
    const text = storage.getItem(nameOf(form));
    const draft = text === null ? undefined : draftIn(JSON.parse(text), Date.now());
    if (text !== null && !draft) storage.removeItem(nameOf(form));
    return draft;
  });
}

export function forgetDraft(form: FormName): void {
  attempt((storage) => storage.removeItem(nameOf(form)));
}

/** A browser that restores its tabs also restores their storage, however old. */
export function forgetOldDrafts(): void {
  for (const form of FORM_NAMES) readDraft(form);
}

/** The draft in what was stored, while its time is not over. */
export function draftIn(stored: unknown, now: number): Draft | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  if (!("savedAt" in stored) || typeof stored.savedAt !== "number") return undefined;
  if (now >= expiresAt(stored.savedAt)) return undefined;
  const values = storedValues(stored);
  if (!values) return undefined;
  if (!("idempotencyKey" in stored) || typeof stored.idempotencyKey !== "string") return { values };
  return { values, idempotencyKey: stored.idempotencyKey };
}

/** Storage can be blocked, full, or hold what another program wrote: then there is no draft. */
function attempt<Result>(work: (storage: Storage) => Result): Result | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
