/**
 * The service worker: sends what the device keeps when no page is open, and shows the pages when there is no network.
 * It is bundled into one file by build/service-worker.ts.
 *
 * With a network, a page always comes from the server, so that nobody sees an old one after a deploy. Scripts, styles
 * and the font always come from its cache: their names change with their content. Nothing else is ever cached: no
 * picture, no answer of the API, no page with an application on it.
 */
import { SYNC_TAG } from "#lib/browser/background.ts";
import { sender } from "#lib/browser/sender.ts";

/** The addresses of a build's pages and files, which are cached at the installation. */
export interface Precache {
  /** A hash of all pages and files. */
  version: string;
  pages: readonly string[];
  assets: readonly string[];
}

/** TypeScript's own types for a worker contradict those of a page, with which it shares its modules. */
interface WorkerEvent {
  readonly request: Request;
  readonly tag: string;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

declare const self: {
  skipWaiting(): Promise<void>;
  addEventListener(
    name: "install" | "activate" | "fetch" | "sync",
    listener: (event: WorkerEvent) => void,
  ): void;
};
/** The list of pages and files, which the build inserts. */
declare const PRECACHE: Precache;

const { version, pages, assets } = PRECACHE;
const CACHE = `pages-${version}`;
/** The wait for the first byte of a page before the cached one is shown. */
const NETWORK_WAIT_MS = 5_000;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(deleteOldCaches()));
self.addEventListener("fetch", handleFetch);
self.addEventListener("sync", (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendInBackground());
});

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  const newest = pages.map((page) => new Request(page, { cache: "no-cache" }));
  // The browser's own cache has most files already, because the page that installs the worker loaded them.
  await cache.addAll([...newest, ...assets]);
  await self.skipWaiting();
}

async function deleteOldCaches(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** Handles a request. Without a response from here, the browser uses the network itself. */
function handleFetch(event: WorkerEvent): void {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && pages.includes(pathname))
    event.respondWith(navigate(request, pathname));
  else if (assets.includes(pathname))
    event.respondWith(findCached(pathname).then((file) => file ?? fetch(request)));
}

/** Answers a navigation, without preload: Firefox aborts a navigation whose preload has failed. */
async function navigate(request: Request, path: string): Promise<Response> {
  const network = fetch(request);
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, NETWORK_WAIT_MS));
  const quick = await Promise.race([network.catch(() => undefined), timeout]);
  if (quick && quick.status < 500) return quick;
  return (await findCached(path)) ?? network;
}

/** Finds a cached response; undefined where Safari or Chromium has lost the cache. The network then answers. */
function findCached(path: string): Promise<Response | undefined> {
  return caches.match(path, { cacheName: CACHE, ignoreVary: true }).catch(() => undefined);
}

/** @throws when something is still queued: the browser then asks again later. */
async function sendInBackground(): Promise<void> {
  const left = await sender.drain();
  if (left > 0) throw new Error(`${left} applications are still queued`);
}
