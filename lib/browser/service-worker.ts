/**
 * A page comes from the server unless the server fails or takes 5 s: only then can it be older than the last deploy.
 * Scripts, styles and fonts come from the cache first, because their names change with their content. The only cached
 * picture is the placeholder. The cache has no response of the API and no page with an application on it.
 */
import { SYNC_TAG } from "#lib/browser/background-sync.ts";
import { outbox } from "#lib/browser/outbox.ts";
import { SEND_TIMEOUT_MS } from "#lib/browser/send-application.ts";
import { withTimeout } from "#lib/browser/with-timeout.ts";

export interface Precache {
  version: string;
  pages: readonly string[];
  assets: readonly string[];
}

/** TypeScript cannot load its types for workers and for pages together, and this module shares code with pages. */
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
/** build/service-worker.ts inserts the value. */
declare const PRECACHE: Precache;

const { version, pages, assets } = PRECACHE;
const CACHE_NAME = `pages-${version}`;
/** The visitor gets the cached page if the network takes longer. */
const NETWORK_TIMEOUT_MS = 5_000;
/** The network is used if the cache takes longer, because a page stays blank until its styles arrive. */
const CACHE_TIMEOUT_MS = 2_000;
/** Longer than a request may take: a page that has just kept an application sends it itself, before the worker does. */
const BACKGROUND_SEND_DELAY_MS = SEND_TIMEOUT_MS + 2_000;

const TYPE_BY_ENDING: Record<string, string> = { js: "javascript", css: "css", woff2: "font" };

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(deleteOldCaches()));
self.addEventListener("fetch", handleFetch);
self.addEventListener("sync", (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendInBackground());
});

async function install(): Promise<void> {
  const cache = await caches.open(CACHE_NAME);
  const newest = pages.map((page) => new Request(page, { cache: "no-cache" }));
  const files = assets.map((asset) => new Request(asset));
  await Promise.all(
    [...newest, ...files].map(async (request) => {
      const response = await fetch(request);
      // A portal or a proxy may have answered instead, with status 200. The browser repeats a failed installation.
      if (!(await isFromThisBuild(response.clone(), new URL(request.url).pathname)))
        throw new Error(`a foreign response for ${request.url}`);
      await cache.put(request, response);
    }),
  );
  await self.skipWaiting();
}

/** A file must have the type of its name, and a page must name a file of this build. */
async function isFromThisBuild(response: Response, path: string): Promise<boolean> {
  if (!response.ok || response.redirected) return false;
  const type = response.headers.get("content-type") ?? "";
  if (assets.includes(path))
    return type.includes(TYPE_BY_ENDING[path.split(".").at(-1) ?? ""] ?? "image/");
  const page = await response.text();
  return type.includes("text/html") && assets.some((asset) => page.includes(asset));
}

async function deleteOldCaches(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name !== CACHE_NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
}

function handleFetch(event: WorkerEvent): void {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && pages.includes(pathname))
    event.respondWith(answerNavigation(request, pathname));
  else if (assets.includes(pathname))
    event.respondWith(findCached(pathname).then((file) => file ?? fetch(request)));
}

/** Uses no navigation preload: Firefox aborts a navigation whose preload has failed. */
async function answerNavigation(request: Request, path: string): Promise<Response> {
  const network = fetch(request);
  const quick = await withTimeout(network, NETWORK_TIMEOUT_MS).catch(() => undefined);
  if (quick && quick.status < 500) return quick;
  return (await findCached(path)) ?? network;
}

/** Resolves to undefined if the browser has lost the cache or does not answer. */
function findCached(path: string): Promise<Response | undefined> {
  const found = caches.match(path, { cacheName: CACHE_NAME, ignoreVary: true });
  return withTimeout(found, CACHE_TIMEOUT_MS).catch(() => undefined);
}

/** @throws while an application waits, so that the browser repeats the event later */
async function sendInBackground(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, BACKGROUND_SEND_DELAY_MS));
  const left = await outbox.sendWaiting();
  if (left > 0) throw new Error(`${left} applications still wait`);
}
