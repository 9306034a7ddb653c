/**
 * Entries in a form's hands: while the visitor is at them, nobody else sends them. Within the page a list
 * says so; other tabs and the service worker read it from the Web Locks (held-everywhere.ts), which end with the page.
 */
export const LOCK_PREFIX = "training-application/";
const held = new Map<string, () => void>();

/** A form takes an entry into its hands. */
export function hold(key: string): void {
  if (held.has(key)) return;
  const released = new Promise<void>((resolve) => held.set(key, resolve));
  if (!("locks" in navigator)) return;
  navigator.locks
    .request(LOCK_PREFIX + key, () => released)
    .catch(() => {
      // Without the lock another tab may send it too; the key makes that harmless.
    });
}

export function release(key: string): void {
  held.get(key)?.();
  held.delete(key);
}

/** Whether a form of this page has it. */
export function isHeld(key: string): boolean {
  return held.has(key);
}

export function heldHere(): Set<string> {
  return new Set(held.keys());
}
