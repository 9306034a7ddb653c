/**
 * Locks among the pages of this device and its service worker. The browser releases a lock with its page, also when
 * the page crashes. Without Web Locks (plain http, old browsers) a page only knows its own locks.
 */
export interface LockRequest {
  readonly name: string;
  /** False when another holder has not released it in time. */
  readonly granted: Promise<boolean>;
  release(): void;
}

const ownRequests = new Set<LockRequest>();
let lastRead: ReadonlySet<string> = new Set();

/** Requests a lock. `waitMs`: how long another holder is waited for; without it, for ever. */
export function requestLock(name: string, waitMs?: number): LockRequest {
  const released = Promise.withResolvers<void>();
  const granted = Promise.withResolvers<boolean>();
  const request: LockRequest = {
    name,
    granted: granted.promise,
    release: () => {
      ownRequests.delete(request);
      released.resolve();
    },
  };
  ownRequests.add(request);
  const options = waitMs === undefined ? {} : { signal: AbortSignal.timeout(waitMs) };
  const onGranted = () => {
    granted.resolve(true);
    return released.promise;
  };
  whereLocksExist(() => navigator.locks.request(name, options, onGranted)).catch(
    (error: unknown) => {
      const isLate = error instanceof DOMException && error.name === "TimeoutError";
      if (isLate) request.release();
      granted.resolve(!isLate);
    },
  );
  return request;
}

/** Reads which locks are held on this device, for `isLocked`. */
export async function readLocks(): Promise<void> {
  const { held = [], pending = [] } = await whereLocksExist(() => navigator.locks.query()).catch(
    (): LockManagerSnapshot => ({}),
  );
  lastRead = new Set([...held, ...pending].map(({ name = "" }) => name));
}

/** True when this page holds the lock, or anybody did at the last read. */
export function isLocked(name: string): boolean {
  return lastRead.has(name) || [...ownRequests].some((request) => request.name === name);
}

/** Rejects where locks are missing or forbidden. */
async function whereLocksExist<Result>(work: () => Promise<Result>): Promise<Result> {
  return work();
}
