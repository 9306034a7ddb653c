/**
 * What was typed into a form and not sent, with the key of an attempt that neither the server nor this device has for
 * certain. It lies in the tab's session storage: a reload or a crash does not lose it, and the next press is the same
 * application.
 */
import { FIELD_NAMES, FORM_NAMES, type FormName } from "#lib/application/fields.ts";
import { type FormValues, storedValues } from "#lib/browser/form-values.ts";
import { expiresAt } from "#lib/browser/outbox-entry.ts";

interface Draft {
  values: FormValues;
  /** Undefined when there was no such attempt. */
  idempotencyKey: string | undefined;
}

/** Replaces the draft before, whose key stays unless there is another. Nothing is kept of an empty form. */
export function saveDraft(
  form: FormName,
  values: FormValues,
  idempotencyKey = readDraft(form)?.idempotencyKey,
): void {
  if (FIELD_NAMES.every((field) => values[field] === "")) {
    forgetDraft(form);
    return;
  }
  const text = JSON.stringify({ values, idempotencyKey, savedAt: Date.now() });
  inSession((storage) => storage.setItem(`draft-${form}`, text));
}

export function readDraft(form: FormName): Draft | undefined {
  const draft = inSession((storage) =>
    draftIn(JSON.parse(storage.getItem(`draft-${form}`) ?? "null"), Date.now()),
  );
  if (!draft) forgetDraft(form);
  return draft;
}

export function forgetDraft(form: FormName): void {
  inSession((storage) => storage.removeItem(`draft-${form}`));
}

/** A browser that restores its tabs also restores their storage, however old. */
export function forgetOldDrafts(): void {
  for (const form of FORM_NAMES) readDraft(form);
}

/** The stored draft, unless it has expired. */
export function draftIn(stored: unknown, now: number): Draft | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  if (!("savedAt" in stored) || typeof stored.savedAt !== "number") return undefined;
  const values = storedValues(stored);
  if (!values || now >= expiresAt(stored.savedAt)) return undefined;
  const key = "idempotencyKey" in stored ? stored.idempotencyKey : undefined;
  return { values, idempotencyKey: typeof key === "string" ? key : undefined };
}

/** Session storage can be blocked, full, or hold what another program wrote: then there is no draft. */
function inSession<Result>(work: (storage: Storage) => Result): Result | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
