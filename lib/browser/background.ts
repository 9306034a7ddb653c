/** The service worker, seen from a page: installed once the page has loaded, and woken when there is a network. */

import { promise } from "#lib/content/application-result.ts";

/** Built by build/service-worker.ts. */
const SCRIPT = "/sw.js";
export const SYNC_TAG = "training-applications";

declare global {
  interface ServiceWorkerRegistration {
    /** Chromium only, https://wicg.github.io/background-sync/spec/ */
    readonly sync?: { register(tag: string): Promise<void> };
  }
}

let isPromised = false;

/** What becomes of an application that waits, by what the browser has promised to do when no page is open. */
export function whatFollows(): string {
  return isPromised ? promise.background : promise.visit;
}

/** Installs the worker after the load event, so that it does not compete with the page for the network. Never throws. */
export async function registerServiceWorker(): Promise<void> {
  try {
    if (document.readyState !== "complete")
      await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
    await navigator.serviceWorker.register(SCRIPT, { updateViaCache: "none" });
  } catch {
    // Missing, refused (private mode, storage blocked) or out of reach: everything works without it.
  }
}

/** Asks the browser to wake the worker once there is a network, so that a closed tab still sends. Never throws. */
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
