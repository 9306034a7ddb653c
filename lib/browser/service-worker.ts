/**
 * The service worker: sends the outbox when no page is open, and shows the pages when there is no network.
 * It is bundled into one file by build/service-worker.ts.
 */
import { SYNC_TAG } from "#lib/browser/background-sync.ts";
import { heldEverywhere, untilLetGo } from "#lib/browser/held-everywhere.ts";
import { answer, forgetOldPages, keepPages, type Precache } from "#lib/browser/page-cache.ts";
import { DRAIN_LOCK, goThrough } from "#lib/browser/round.ts";
import type { WorkerScope } from "#lib/browser/worker-scope.ts";

declare const self: WorkerScope;
/** Put in place by the build. */
declare const PRECACHE: Precache;

/** A page that is at an application has given it up or has its answer by then; see SEND_TIMEOUT_MS. */
const PAGE_TIME_MS = 15_000;

self.addEventListener("install", (event) => {
  event.waitUntil(keepPages(PRECACHE).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const { navigationPreload } = self.registration;
  event.waitUntil(Promise.all([forgetOldPages(PRECACHE), navigationPreload?.enable()]));
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
  await untilLetGo(PAGE_TIME_MS);
  const held = await heldEverywhere();
  const { left } = await navigator.locks.request(DRAIN_LOCK, () =>
    goThrough({ heldBy: (key) => (held.has(key) ? "others" : undefined) }),
  );
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const page of pages) page.postMessage(SYNC_TAG);
  if (left > 0) throw new Error(`${left} applications still wait`);
}
