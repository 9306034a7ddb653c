/**
 * The pages for when there is no network. With a network, a page always comes from the server, so that nobody
 * sees an old one after a deploy. Scripts, styles and the font always come from here: their names change with
 * their content. A picture that was shown once comes from here when the network fails. Nothing else is ever
 * kept: no answer of the API, no page with an application on it.
 */
import type { FetchEvent } from "#lib/browser/worker-scope.ts";
import { missingPicture } from "#lib/content/picture.ts";

/** What a build consists of; written into the worker by build/service-worker.ts. */
export interface Precache {
  /** Changes whenever a page or a file does. */
  version: string;
  pages: readonly string[];
  assets: readonly string[];
}

const PREFIX = "pages-";
const PICTURES = "pictures";
const ASSETS = "/_next/static/";
/** Those of the whole site in two sizes; the ones that were shown first go first. */
const MOST_PICTURES = 40;
/** A network that has not begun to answer by then is as good as none. */
const PATIENCE_MS = 5_000;
/** Of this build, and of the one before for the tabs that still show it. */
const KEPT_BUILDS = 2;

export async function keepPages({ version, pages, assets }: Precache): Promise<void> {
  const cache = await caches.open(PREFIX + version);
  await cache.addAll(pages.map((page) => new Request(page, { cache: "no-cache" })));
  // Mostly out of the browser's own cache: the page that installs the worker has loaded them.
  await cache.addAll([...assets, missingPicture.src]);
}

export async function forgetOldPages({ version }: Precache): Promise<void> {
  const others = (await caches.keys()).filter(
    (name) => name.startsWith(PREFIX) && name !== PREFIX + version,
  );
  const old = others.slice(0, Math.max(0, others.length - KEPT_BUILDS + 1));
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** The answer to a request, or undefined where the browser is to ask the network itself. */
export function answer(event: FetchEvent, precache: Precache): Promise<Response> | undefined {
  const { destination, method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return undefined;
  if (mode === "navigate") {
    return precache.pages.includes(pathname) ? page(event.request, pathname, precache) : undefined;
  }
  if (destination === "image") return picture(event);
  return pathname.startsWith(ASSETS) ? asset(event.request) : undefined;
}

/**
 * Without navigation preload: Firefox aborts a navigation whose preload has failed, even when the worker
 * answers it.
 */
async function page(request: Request, path: string, { version }: Precache): Promise<Response> {
  const network = fetch(request);
  const quick = await Promise.race([network.catch(() => undefined), after(PATIENCE_MS)]);
  if (quick && quick.status < 500) return quick;
  const kept = await caches.match(path, { cacheName: PREFIX + version, ignoreVary: true });
  return kept ?? network;
}

/** Without a network: the picture that was shown before, else the placeholder. */
async function picture(event: FetchEvent): Promise<Response> {
  const { request } = event;
  try {
    const response = await fetch(request);
    // The page does not wait for the copy.
    if (response.ok) event.waitUntil(keepPicture(request, response.clone()));
    return response;
  } catch {
    const kept = await caches.match(request, { ignoreVary: true });
    return kept ?? (await caches.match(missingPicture.src)) ?? Response.error();
  }
}

async function keepPicture(request: Request, response: Response): Promise<void> {
  try {
    const cache = await caches.open(PICTURES);
    await cache.put(request, response);
    const first = (await cache.keys()).slice(0, -MOST_PICTURES);
    await Promise.all(first.map((each) => cache.delete(each)));
  } catch {
    // No room: the picture was shown all the same.
  }
}

async function asset(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined));
}
