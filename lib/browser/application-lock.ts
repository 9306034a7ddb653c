/**
 * One lock per application: while a form is open on it, or a tab sends it, nobody else sends it. Web Locks end
 * with their page. Over plain http there are none: this page then knows its own locks alone, and the idempotency
 * key makes a second sender harmless.
 */
const PREFIX = "training-application/";
const locked = new Map<string, () => void>();

/** A form of this page is open on the application from now on. */
export function lock(key: string): void {
  if (locked.has(key)) return;
  const released = new Promise<void>((resolve) => locked.set(key, resolve));
  if (!("locks" in navigator)) return;
  navigator.locks
    .request(PREFIX + key, () => released)
    .catch(() => {
      // Without the lock another tab may send it too; the key makes that harmless.
    });
}

export function unlock(key: string): void {
  locked.get(key)?.();
  locked.delete(key);
}

/** Whether a form of this page is open on it. */
export function isLockedHere(key: string): boolean {
  return locked.has(key);
}

/**
 * Runs work under the application's lock. False, without running it, when somebody else has the lock and
 * does not release it within `waitMs`.
 */
export async function whenFree(
  key: string,
  work: () => Promise<void>,
  waitMs = 0,
): Promise<boolean> {
  if (isLockedHere(key)) return false;
  if (!("locks" in navigator)) {
    await work();
    return true;
  }
  const options =
    waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true as const };
  let began = false;
  try {
    await navigator.locks.request(PREFIX + key, options, async (granted) => {
      if (!granted) return;
      began = true;
      await work();
    });
  } catch (error) {
    // Before the work began it can only be the wait that is over.
    if (began) throw error;
  }
  return began;
}
