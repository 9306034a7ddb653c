/**
 * The service worker: sends what the device keeps when no page is open, and shows the pages when there is no network.
 * It is bundled into one file by build/service-worker.ts.
 */
import { SYNC_TAG } from "#lib/browser/background.ts";
import { answer, forgetOldPages, keepPages, type Precache } from "#lib/browser/page-cache.ts";
import { sendAll } from "#lib/browser/sender.ts";
import type { WorkerScope } from "#lib/browser/worker-scope.ts";

declare const self: WorkerScope;
/** Put in place by the build. */
declare const PRECACHE: Precache;

self.addEventListener("install", (event) => {
  event.waitUntil(keepPages(PRECACHE).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOldPages(PRECACHE));
});

self.addEventListener("fetch", (event) => {
  const response = answer(event, PRECACHE);
  if (response) event.respondWith(response);
});

self.addEventListener("sync", (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendInBackground());
});

/** @throws when something still waits: the browser then asks again later. */
async function sendInBackground(): Promise<void> {
  const { left } = await sendAll({ waits: true });
  if (left > 0) throw new Error(`${left} applications still wait`);
}
