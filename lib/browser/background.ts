/** The service worker, seen from a page: installed once the page has loaded, and woken when there is a network. */

/** Built by build/service-worker.ts. */
const SCRIPT = "/sw.js";
export const SYNC_TAG = "training-applications";

declare global {
  interface ServiceWorkerRegistration {
    /** Chromium only, https://wicg.github.io/background-sync/spec/ */
    readonly sync?: { register(tag: string): Promise<void> };
  }
}

/**
 * Installs the worker after the load event, so that it does not compete with the page for the network. Returns a
 * function that cancels this.
 */
export function registerServiceWorker(): () => void {
  const workers = "serviceWorker" in navigator ? navigator.serviceWorker : undefined;
  if (!workers) return () => undefined;
  const register = () => {
    // Refused (private mode, storage blocked) or out of reach: everything works without it.
    workers.register(SCRIPT, { updateViaCache: "none" }).catch(() => undefined);
  };
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
  return () => removeEventListener("load", register);
}

/**
 * Asks the browser to wake the worker once there is a network, so that a closed tab still sends. In a browser
 * without background sync the application waits for the next visit. Never throws.
 */
export async function requestBackgroundSync(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await registration?.sync?.register(SYNC_TAG);
  } catch {
    // Not allowed, or the worker is not there yet: the pages send by themselves.
  }
}
