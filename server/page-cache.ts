/**
 * The page cache. Next renders the pages at the start, and again after midnight in Seoul, when the example's date or
 * the footer's year may change.
 */
import { join } from "node:path";
import { seoulDate } from "#lib/application/seoul-time.ts";
import { log } from "#lib/log.ts";
import type { CachedResponse } from "#server/cached-response.ts";
import { archiveBuildFiles } from "#server/earlier-builds.ts";
import { NOT_FOUND_PATH, readBuiltPaths, renderPages } from "#server/pages.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import type { RequestRoute } from "#server/route-requests.ts";
import {
  readStaticFiles,
  SERVICE_WORKER_PATH,
  serviceWorkerResponse,
} from "#server/static-files.ts";

const NEXT_PATH_PREFIX = "/_next/";
const BUILD_FILES_PREFIX = "/_next/static/";
const CACHE_FOREVER = "public, max-age=31536000, immutable";
const CACHE_ONE_DAY = "public, max-age=86400, stale-while-revalidate=604800";
const DATE_CHECK_MS = 60_000;
/** Delay of the compression of all this build's responses. One that is requested before is compressed on request. */
const COMPRESSION_DELAY_MS = 10_000;

export interface PageCacheOptions {
  next: RequestHandler;
  /** The folder that contains `.next` and `public`. */
  folder: string;
  earlierBuildsFolder: string;
}

export class PageCache {
  readonly #options: PageCacheOptions;
  readonly #paths: ReturnType<typeof readBuiltPaths>;
  #pages = new Map<string, CachedResponse>();
  readonly #files: Map<string, CachedResponse>;
  readonly #serviceWorkerSource: string | undefined;
  #earlierFiles = new Map<string, CachedResponse>();
  #renderedOn: string | undefined;

  private constructor(options: PageCacheOptions) {
    const { folder } = options;
    this.#options = options;
    this.#paths = readBuiltPaths(folder);
    this.#files = new Map([
      ...readStaticFiles(join(folder, ".next/static"), BUILD_FILES_PREFIX, CACHE_FOREVER),
      ...readStaticFiles(join(folder, "public"), "/", CACHE_ONE_DAY),
    ]);
    this.#serviceWorkerSource = this.#files.get(SERVICE_WORKER_PATH)?.body.toString();
  }

  static async open(options: PageCacheOptions): Promise<PageCache> {
    const cache = new PageCache(options);
    await cache.refresh();
    const logFailure = (err: unknown) =>
      log.error({ err }, "refreshing cached pages failed, serving the previous ones");
    setInterval(() => cache.refresh().catch(logFailure), DATE_CHECK_MS).unref();
    setTimeout(() => cache.#compress().catch(logFailure), COMPRESSION_DELAY_MS).unref();
    return cache;
  }

  /** Renders the pages on a new day in Seoul, and again if one of them could not be rendered. */
  async refresh(now = Date.now()): Promise<void> {
    const today = seoulDate(now);
    if (this.#renderedOn === today) return;
    const { renderedAtStart } = this.#paths;
    const rendered = await renderPages(this.#options.next, renderedAtStart);
    // The new pages are compressed before they replace the old ones, so that no visitor waits.
    if (this.#pages.size > 0) for (const page of rendered.values()) await page.compress();
    // A page that could not be rendered keeps its previous version until the next refresh.
    this.#pages = new Map([...this.#pages, ...rendered]);
    if (this.#serviceWorkerSource !== undefined) {
      const serviceWorker = serviceWorkerResponse(this.#serviceWorkerSource, this.#pages.values());
      this.#files.set(SERVICE_WORKER_PATH, serviceWorker);
    }
    await this.#archiveBuildFiles();
    if (rendered.size === renderedAtStart.length) this.#renderedOn = today;
  }

  async #archiveBuildFiles(): Promise<void> {
    const { folder, earlierBuildsFolder } = this.#options;
    try {
      await archiveBuildFiles(join(folder, ".next/static"), earlierBuildsFolder);
      this.#earlierFiles = readStaticFiles(earlierBuildsFolder, BUILD_FILES_PREFIX, CACHE_FOREVER);
    } catch (err) {
      log.warn({ err }, "copying this build failed, open pages lose their scripts with the next");
    }
  }

  /** The page or file at the path. */
  route: RequestRoute = (path, { method }) =>
    method === "GET" || method === "HEAD"
      ? (this.#pages.get(path) ?? this.#files.get(path) ?? this.#earlierFiles.get(path))
      : undefined;

  /** The 404 page for a path that Next does not know either. */
  notFoundRoute: RequestRoute = (path) =>
    this.#isForNext(path) ? undefined : this.#pages.get(NOT_FOUND_PATH);

  #isForNext(path: string): boolean {
    // Next redirects a path with a trailing slash, a doubled slash or a backslash.
    const isRedirected = !path.startsWith("/") || path.endsWith("/") || /\/\/|\\/.test(path);
    return isRedirected || path.startsWith(NEXT_PATH_PREFIX) || this.#paths.known.has(path);
  }

  async #compress(): Promise<void> {
    for (const response of [...this.#pages.values(), ...this.#files.values()]) {
      await response.compress();
    }
    // Frees the 20 MB of garbage that the start leaves.
    globalThis.gc?.();
  }
}
