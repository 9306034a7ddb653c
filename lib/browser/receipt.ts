/** The last receipt of this browser session: it stands above the form until the visitor dismisses it. */
import { type Receipt, receiptIn } from "#lib/application/answer.ts";

const NAME = "receipt";
const listeners = new Set<() => void>();
/** The receipt where session storage is blocked, until the page is left. `null` when it has not been read yet. */
let last: Receipt | undefined | null = null;

export function saveReceipt(receipt: Receipt | undefined): void {
  last = receipt;
  try {
    if (receipt) sessionStorage.setItem(NAME, JSON.stringify(receipt));
    else sessionStorage.removeItem(NAME);
  } catch {
    // Blocked or full: it does not survive a reload.
  }
  for (const listener of listeners) listener();
}

export function lastReceipt(): Receipt | undefined {
  if (last === null) last = storedReceipt();
  return last;
}

export function subscribeToReceipt(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function storedReceipt(): Receipt | undefined {
  try {
    const data: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? "null");
    return receiptIn({ success: true, data });
  } catch {
    return undefined;
  }
}
