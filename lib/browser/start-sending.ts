/** What a page does for the applications that wait, from when it is idle. A press needs none of it. */
import type { Kept } from "#lib/browser/record.ts";
import { run } from "#lib/browser/sender.ts";
import { find, refresh, write } from "#lib/browser/store.ts";

/** Begins to watch for chances to send. */
export function startSending(): void {
  addEventListener("online", run);
  addEventListener("pageshow", ({ persisted }) => persisted && run());
  document.addEventListener("visibilitychange", () => document.hidden || run());
  void registerServiceWorker();
  void run();
}

/** Sends what the visitor sees waiting, also when the store has lost it. True when it waits no longer. */
export async function sendNow(record: Kept): Promise<boolean> {
  await refresh();
  if (!find(record.id)) await write(record.id, record);
  await run();
  return find(record.id)?.state !== "waiting";
}

/** Installs the worker after the load event, so that it does not compete with the page for the network. Never throws. */
async function registerServiceWorker(): Promise<void> {
  try {
    if (document.readyState !== "complete")
      await new Promise((resolve) => addEventListener("load", resolve, { once: true }));
    // Built by build/service-worker.ts.
    await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  } catch {
    // Missing, refused (private mode, storage blocked) or out of reach: everything works without it.
  }
}
