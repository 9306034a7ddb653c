import { whenSentTexts } from "#lib/content/application-result.ts";

export const SYNC_TAG = "training-applications";

declare global {
  interface ServiceWorkerRegistration {
    /** Background Sync, in Chromium only: https://wicg.github.io/background-sync/spec/ */
    readonly sync?: { register(tag: string): Promise<void>; getTags(): Promise<string[]> };
  }
}

let whenSent: keyof typeof whenSentTexts = "visit";

export function whenSentText(): string {
  return whenSentTexts[whenSent];
}

/** Asks the browser to wake the service worker once the device is online, even without a page. Never throws. */
export async function requestBackgroundSync(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    if (!registration?.sync) return;
    await registration.sync.register(SYNC_TAG);
    whenSent = "background";
  } catch {
    // The browser refused or has no service worker, so only an open page sends.
  }
}

/** A private window of Firefox or Safari refuses the private file system, and loses its data when it closes. */
export async function detectPrivateWindow(): Promise<void> {
  await navigator.storage?.getDirectory?.().catch(() => {
    whenSent = "privateWindow";
  });
}
