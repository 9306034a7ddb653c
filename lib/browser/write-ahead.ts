/**
 * A press of the button, on the device before anything that takes time: written to localStorage in the
 * same turn as the press, so that a tab which ends right after it has lost nothing. It stays until the
 * outbox or the server has the application, or the visitor was told that nobody does; what is still here
 * when a page loads is taken up by the drain (take-up.ts). A service worker cannot read it.
 *
 * Browsers put localStorage on the disk seconds later: against the end of the whole browser only the
 * outbox helps, which is why a form opens it beforehand.
 */
import type { OutboxEntry } from "#lib/browser/outbox-entry.ts";

export interface WrittenAhead extends OutboxEntry {
  /** The key of the kept application that this one corrects. */
  replaces?: string | undefined;
}

export const PREFIX = "written-ahead/";

/** False when the browser does not take it: blocked, or full. */
export function writeAhead(press: WrittenAhead): boolean {
  return (
    inLocalStorage((storage) => {
      storage.setItem(PREFIX + press.idempotencyKey, JSON.stringify(press));
      return true;
    }) ?? false
  );
}

export function strikeOut(key: string): void {
  inLocalStorage((storage) => storage.removeItem(PREFIX + key));
}

/** Storage can be blocked or full: then there is nothing here. */
export function inLocalStorage<Result>(work: (storage: Storage) => Result): Result | undefined {
  try {
    return work(localStorage);
  } catch {
    return undefined;
  }
}
