/** What was typed into a form and not sent: in the tab's session storage, so that a reload or a crash does not lose it. */
import { FIELD_NAMES, FORM_NAMES, type FormName } from "#lib/application/fields.ts";
import { type FormValues, storedValues } from "#lib/browser/form-values.ts";
import { expiresAt } from "#lib/browser/outbox-entry.ts";

/** Replaces the draft before; nothing is kept of an empty form. */
export function saveDraft(form: FormName, values: FormValues): void {
  const empty = FIELD_NAMES.every((field) => values[field] === "");
  const text = empty ? undefined : JSON.stringify({ values, savedAt: Date.now() });
  inSession((storage) => {
    if (text === undefined) storage.removeItem(`draft-${form}`);
    else storage.setItem(`draft-${form}`, text);
  });
}

export function readDraft(form: FormName): FormValues | undefined {
  const values = inSession((storage) =>
    draftIn(JSON.parse(storage.getItem(`draft-${form}`) ?? "null"), Date.now()),
  );
  if (!values) forgetDraft(form);
  return values;
}

export function forgetDraft(form: FormName): void {
  inSession((storage) => storage.removeItem(`draft-${form}`));
}

/** A browser that restores its tabs also restores their storage, however old. */
export function forgetOldDrafts(): void {
  for (const form of FORM_NAMES) readDraft(form);
}

/** The stored values, unless they have expired. */
export function draftIn(stored: unknown, now: number): FormValues | undefined {
  if (typeof stored !== "object" || stored === null) return undefined;
  if (!("savedAt" in stored) || typeof stored.savedAt !== "number") return undefined;
  return now < expiresAt(stored.savedAt) ? storedValues(stored) : undefined;
}

/** Session storage can be blocked, full, or hold what another program wrote: then there is no draft. */
function inSession<Result>(work: (storage: Storage) => Result): Result | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
