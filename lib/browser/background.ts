/** The browser's part in sending a queued application once no page of the site is open. */
import { whenSentTexts } from "#lib/content/application-result.ts";

export const SYNC_TAG = "training-applications";

declare global {
  interface ServiceWorkerRegistration {
    /** Chromium only, https://wicg.github.io/background-sync/spec/ */
    readonly sync?: { register(tag: string): Promise<void> };
  }
}

let whenSent: keyof typeof whenSentTexts = "visit";

/** The sentence about when a queued application is sent, which depends on the browser's background sync. */
export function whenSentText(): string {
  return whenSentTexts[whenSent];
}

/** Asks the browser to wake the service worker. Never throws. */
export async function requestBackgroundSync(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    if (!registration?.sync) return;
    await registration.sync.register(SYNC_TAG);
    whenSent = "background";
  } catch {
    // The browser forbids background sync, or has no service worker yet: the pages send by themselves.
  }
}

/**
 * Detects private windows of Firefox and Safari, which refuse the private file system, and lose all data when closed.
 * Private windows of Chromium cannot be detected.
 */
export async function detectPrivateWindow(): Promise<void> {
  if (typeof navigator.storage?.getDirectory !== "function") return;
  await navigator.storage.getDirectory().catch(() => {
    whenSent = "privateWindow";
  });
}
