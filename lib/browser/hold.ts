/**
 * Entries in a form's hands: while the visitor is at them, nobody else sends them. Within the page a list
 * says so; other tabs and the service worker read it from the Web Locks, which end with the page.
 */
const LOCK_PREFIX = "training-application/";
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

/** What the forms of all tabs have, as far as the browser can say. */
export async function heldEverywhere(): Promise<Set<string>> {
  const keys = new Set(held.keys());
  if (!("locks" in navigator)) return keys;
  const { held: locks = [] } = await navigator.locks.query();
  for (const { name = "" } of locks) {
    if (name.startsWith(LOCK_PREFIX)) keys.add(name.slice(LOCK_PREFIX.length));
  }
  return keys;
}

/** Waits until all that is held now has been let go, or the time is over. */
export async function untilLetGo(timeLimitMs: number): Promise<void> {
  const signal = AbortSignal.timeout(timeLimitMs);
  const waits = [...(await heldEverywhere())].map((key) =>
    navigator.locks.request(LOCK_PREFIX + key, { signal }, () => undefined),
  );
  await Promise.allSettled(waits);
}
