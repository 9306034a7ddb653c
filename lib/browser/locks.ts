/**
 * Locks that the pages and the service worker of a device share. The browser releases the locks of a page that ends or
 * crashes. Without Web Locks (plain http, old browsers) a page knows only its own locks.
 */
import { withTimeout } from "#lib/browser/with-timeout.ts";

/** Some WebViews never answer a question about locks. */
const QUERY_LIMIT_MS = 1_000;

export interface LockRequest {
  readonly name: string;
  /** Resolves to false if another holder has not released the lock in time. */
  readonly granted: Promise<boolean>;
  release(): void;
}

const ownRequests = new Set<LockRequest>();
let lastRead: ReadonlySet<string> = new Set();

// Safari 18 keeps the locks of a page that Back may restore, and would let no other page send.
globalThis.addEventListener?.("pagehide", () => {
  for (const request of ownRequests) request.release();
});

/** Waits up to `waitMs` for another holder to release the lock; without `waitMs`, for ever. */
export function requestLock(name: string, waitMs?: number): LockRequest {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  const options = waitMs === undefined ? {} : { signal: AbortSignal.timeout(waitMs) };
  const granted = new Promise<boolean>((grant, reject) => {
    const onGranted = () => {
      grant(true);
      return released;
    };
    navigator.locks.request(name, options, onGranted).catch(reject);
  }).catch(async (error: unknown) => {
    if (!String(error).startsWith("TimeoutError")) return true;
    request.release();
    await refreshLocks();
    return !lastRead.has(name);
  });
  const request: LockRequest = {
    name,
    granted,
    release: () => {
      ownRequests.delete(request);
      resolve();
    },
  };
  ownRequests.add(request);
  return request;
}

/** Reads for `isLocked` which locks are held or requested on this device. */
export async function refreshLocks(): Promise<void> {
  try {
    const { held = [], pending = [] } = await withTimeout(navigator.locks.query(), QUERY_LIMIT_MS);
    lastRead = new Set([...held, ...pending].map(({ name = "" }) => name));
  } catch {
    // Web Locks are missing or forbidden, or do not answer.
  }
}

/** True if this page has requested the lock, or if any page had at the last `refreshLocks`. */
export function isLocked(name: string): boolean {
  return lastRead.has(name) || [...ownRequests].some((request) => request.name === name);
}
