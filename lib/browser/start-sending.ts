import { outbox } from "#lib/browser/outbox.ts";

const keepSending = () => void outbox.keepSending();

export function startSending(): void {
  addEventListener("online", keepSending);
  addEventListener("pageshow", ({ persisted }) => persisted && keepSending());
  document.addEventListener("visibilitychange", () => document.hidden || keepSending());
  void registerServiceWorker();
  keepSending();
}

/** Waits for the load event, so that the page gets the network first. Never throws. */
async function registerServiceWorker(): Promise<void> {
  try {
    if (document.readyState !== "complete")
      await new Promise((resolve) => addEventListener("load", resolve));
    // build/service-worker.ts writes sw.js.
    await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  } catch {
    // Everything works without a service worker, which the browser may refuse (private mode, blocked storage).
  }
}
