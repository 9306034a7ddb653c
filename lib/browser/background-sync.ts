export const SYNC_TAG = "training-applications";

declare global {
  interface ServiceWorkerRegistration {
    /** Background Sync, in Chromium only: https://wicg.github.io/background-sync/spec/ */
    readonly sync?: { register(tag: string): Promise<void>; getTags(): Promise<string[]> };
  }
}

/** Asks the browser to wake the service worker once the device is online, even without a page. Never throws. */
export async function requestBackgroundSync(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.sync?.register(SYNC_TAG);
  } catch {
    // The browser refused or has no service worker, so only an open page sends.
  }
}
