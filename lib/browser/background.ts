/** The service worker, woken when there is a network, so that a closed tab still sends. */
import { promise } from "#lib/content/application-result.ts";

export const SYNC_TAG = "training-applications";

declare global {
  interface ServiceWorkerRegistration {
    /** Chromium only, https://wicg.github.io/background-sync/spec/ */
    readonly sync?: { register(tag: string): Promise<void> };
  }
}

let isPromised = false;

/** Promise for a waiting application, by the browser's support for background sync. */
export function whatFollows(): string {
  return isPromised ? promise.background : promise.visit;
}

/** Asks the browser to wake the worker. Never throws. */
export async function requestBackgroundSync(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    if (!registration?.sync) return;
    await registration.sync.register(SYNC_TAG);
    isPromised = true;
  } catch {
    // Not allowed, or the worker is not there yet: the pages send by themselves.
  }
}
