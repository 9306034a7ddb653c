/** What was typed in this tab, in the session storage. It survives a reload and ends with the tab. */
import { areSameValues, type FormValues } from "#lib/browser/form-values.ts";

const DRAFT_KEY = "draft";

export interface Draft {
  values: FormValues;
  /** The idempotency key with which these values may already have reached the server. */
  id?: string | undefined;
}

/** `submitted`: the values are no draft any more, so a form starts empty even if the browser restores them. */
export function writeDraft(draft: Draft | "submitted"): void {
  const isEmpty = draft !== "submitted" && areSameValues(draft.values, {});
  try {
    if (isEmpty) sessionStorage.removeItem(DRAFT_KEY);
    else sessionStorage.setItem(DRAFT_KEY, JSON.stringify(draft));
  } catch {
    // The storage is blocked or full.
  }
}

export function readDraft(): Draft | "submitted" | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}
