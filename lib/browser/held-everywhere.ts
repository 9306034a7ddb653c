/** What the forms of all tabs have in their hands. */
import { heldHere, LOCK_PREFIX } from "#lib/browser/hold.ts";

/** The keys, as far as the browser can say. */
export async function heldEverywhere(): Promise<Set<string>> {
  const keys = heldHere();
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
