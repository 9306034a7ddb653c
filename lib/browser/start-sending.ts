import { detectPrivateWindow } from "#lib/browser/background.ts";
import { drafts } from "#lib/browser/drafts.ts";
import { outbox } from "#lib/browser/outbox.ts";
import type { Queued } from "#lib/browser/record.ts";
import { sender } from "#lib/browser/sender.ts";
import { withTimeout } from "#lib/browser/with-timeout.ts";

/** Some WebViews never answer whether their window is private. */
const READY_LIMIT_MS = 2_000;

const run = () => sender.run();

export function startSending(): void {
  addEventListener("online", run);
  addEventListener("pageshow", ({ persisted }) => persisted && run());
  document.addEventListener("visibilitychange", () => document.hidden || run());
  void registerServiceWorker();
  const ready = Promise.all([drafts.claim(), detectPrivateWindow()]);
  void withTimeout(ready, READY_LIMIT_MS).then(run, run);
}

/** Sends the record of a notice, even if the database has lost it. False: the record is still queued. */
export async function sendNow(record: Queued): Promise<boolean> {
  await outbox.refresh();
  if (!outbox.find(record.id)) await outbox.submit(record);
  await run();
  return outbox.find(record.id)?.state !== "queued";
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
