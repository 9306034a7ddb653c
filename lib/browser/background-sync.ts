/** Asks the browser to wake the service worker once there is a network, so that a closed tab still sends. */

export const SYNC_TAG = "training-applications";

declare global {
  interface ServiceWorkerRegistration {
    /** Chromium only, https://wicg.github.io/background-sync/spec/ */
    readonly sync?: { register(tag: string): Promise<void> };
  }
}

/** Where there is no such thing, the application waits for the next visit. Never throws. */
export async function askForSync(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.sync?.register(SYNC_TAG);
  } catch {
    // Not allowed, or the worker is not there yet: the pages send by themselves.
  }
}
