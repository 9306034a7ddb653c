/**
 * The page cache. Next renders the pages at the start, and again after midnight in Seoul, when the example's date or
 * the footer's year may change. Requests that the cache cannot answer go on to the next handler.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { POST_PATHS } from "#lib/application/fields.ts";
import { seoulDate } from "#lib/application/seoul-time.ts";
import { wrongMethodPage } from "#lib/content/not-found.ts";
import { log } from "#lib/log.ts";
import { CachedResponse } from "#server/cached-response.ts";
import { contentPolicy, FILE_CONTENT_POLICY } from "#server/content-policy.ts";
import { archiveBuildFiles } from "#server/earlier-builds.ts";
import { NOT_FOUND_ROUTE, readBuiltPaths, renderPages } from "#server/pages.ts";
import { OPTIMIZER_PATH, PictureCache } from "#server/picture-cache.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import {
  readStaticFiles,
  SERVICE_WORKER_PATH,
  serviceWorkerResponse,
} from "#server/static-files.ts";

const NEXT_PATHS = "/_next/";
const BUILD_FILES = "/_next/static/";
const FORM_ADDRESSES: readonly unknown[] = Object.values(POST_PATHS);
const NEXT_HEADERS = ["host", "cookie", "user-agent", "accept", "accept-encoding"];
const CACHE_FOREVER = "public, max-age=31536000, immutable";
const CACHE_ONE_DAY = "public, max-age=86400, stale-while-revalidate=604800";
const DATE_CHECK_MS = 60_000;
/** Delay after the start before all responses are compressed. An earlier request compresses the response at once. */
const COMPRESSED_AFTER_MS = 10_000;

export interface PageCacheOptions {
  next: RequestHandler;
  fallback: RequestHandler;
  headers: Record<string, string>;
  /** The folder that contains `.next` and `public`. */
  folder: string;
  earlierBuilds: string;
}

export class PageCache {
  readonly #parts: PageCacheOptions;
  readonly #paths: ReturnType<typeof readBuiltPaths>;
  readonly #pictures: PictureCache;
  #pages = new Map<string, CachedResponse>();
  readonly #files: Map<string, CachedResponse>;
  readonly #worker: string | undefined;
  #earlierFiles = new Map<string, CachedResponse>();
  #renderedOn: string | undefined;

  private constructor(parts: PageCacheOptions) {
    const { folder, next } = parts;
    this.#parts = parts;
    this.#paths = readBuiltPaths(folder);
    this.#pictures = new PictureCache(next);
    this.#files = new Map([
      ...readStaticFiles(join(folder, ".next/static"), BUILD_FILES, CACHE_FOREVER),
      ...readStaticFiles(join(folder, "public"), "/", CACHE_ONE_DAY),
    ]);
    this.#worker = this.#files.get(SERVICE_WORKER_PATH)?.body.toString();
  }

  static async open(parts: PageCacheOptions): Promise<PageCache> {
    const cache = new PageCache(parts);
    await cache.refresh();
    const logFailure = (err: unknown) =>
      log.error({ err }, "refreshing cached pages failed, serving the previous ones");
    setInterval(() => cache.refresh().catch(logFailure), DATE_CHECK_MS).unref();
    setTimeout(() => cache.#compress().catch(logFailure), COMPRESSED_AFTER_MS).unref();
    return cache;
  }

  async refresh(now = Date.now()): Promise<void> {
    const today = seoulDate(now);
    if (this.#renderedOn === today) return;
    const { once } = this.#paths;
    const rendered = await renderPages(this.#parts.next, once);
    // The new pages are compressed before they replace the old ones, so that no visitor waits.
    if (this.#pages.size > 0) for (const page of rendered.values()) await page.compress();
    // A page that could not be rendered keeps its previous version until the next refresh.
    this.#pages = new Map([...this.#pages, ...rendered]);
    this.#pictures.allowPicturesOf(this.#pages.values());
    if (this.#worker !== undefined) {
      const worker = serviceWorkerResponse(this.#worker, this.#pages.values());
      this.#files.set(SERVICE_WORKER_PATH, worker);
    }
    await this.#archiveBuildFiles();
    if (rendered.size === once.length) this.#renderedOn = today;
  }

  async #archiveBuildFiles(): Promise<void> {
    const { folder, earlierBuilds } = this.#parts;
    try {
      await archiveBuildFiles(join(folder, ".next/static"), earlierBuilds);
      this.#earlierFiles = readStaticFiles(earlierBuilds, BUILD_FILES, CACHE_FOREVER);
    } catch (err) {
      log.warn({ err }, "copying this build failed, open pages lose their scripts with the next");
    }
  }

  handle: RequestHandler = async (request, response) => {
    response.setHeaders(new Map(Object.entries(this.#parts.headers)));
    const path = decodedPath(request);
    const isForm = FORM_ADDRESSES.includes(path);
    const methods = isForm ? ["POST"] : ["GET", "HEAD"];
    if (!methods.includes(request.method ?? "")) {
      const refusal = wrongMethodResponse(methods);
      if (isForm || request.method !== "OPTIONS") return refusal.send(request, response);
      // HAProxy's default check sends OPTIONS, and takes the server out of service after a 405.
      response.writeHead(204, { allow: methods.join(", ") }).end();
      return;
    }
    const cached =
      path && (this.#pages.get(path) ?? this.#files.get(path) ?? this.#earlierFiles.get(path));
    if (cached) return cached.send(request, response);
    if (path === OPTIMIZER_PATH && (await this.#pictures.answer(request, response))) return;
    const notFound = this.#pages.get(NOT_FOUND_ROUTE);
    if (path && notFound && !this.#isForNext(path)) return notFound.send(request, response);
    const policy = contentPolicy([`'nonce-${randomBytes(16).toString("base64")}'`]);
    if (isForm) request.url = request.url?.replace(/^[^?]*/, path ?? "");
    else removeUnknownHeaders(request);
    // Next reads the nonce for a page's scripts from this request header.
    request.headers["content-security-policy"] = policy;
    response.setHeader("content-security-policy", policy);
    return this.#parts.fallback(request, response);
  };

  #isForNext(path: string): boolean {
    if (path === OPTIMIZER_PATH) return false;
    // Next redirects a path with a trailing slash, a doubled slash or a backslash.
    const isRedirected = !path.startsWith("/") || path.endsWith("/") || /\/\/|\\/.test(path);
    return isRedirected || path.startsWith(NEXT_PATHS) || this.#paths.known.has(path);
  }

  async #compress(): Promise<void> {
    for (const answer of [...this.#pages.values(), ...this.#files.values()]) {
      await answer.compress();
    }
    // Frees the 20 MB of garbage that the start leaves.
    globalThis.gc?.();
  }
}

/** An invalid range or router state in a header would make Next answer 500. */
function removeUnknownHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (!NEXT_HEADERS.includes(name)) delete headers[name];
}

function wrongMethodResponse(methods: string[]): CachedResponse {
  return new CachedResponse({
    status: 405,
    body: Buffer.from(wrongMethodPage),
    headers: {
      allow: methods.join(", "),
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": FILE_CONTENT_POLICY,
      "cache-control": "no-store",
    },
  });
}

function decodedPath({ url = "" }: IncomingMessage): string | undefined {
  const [path = ""] = url.split("?", 1);
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
