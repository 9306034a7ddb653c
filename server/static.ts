/**
 * The prerendered pages and the files of the build, answered from memory. A page is asked of Next at the
 * start and again every ten minutes, so that what Next makes anew (the year in the footer) is picked up;
 * each carries the policy of its own inline scripts. Everything else goes on to Next.
 */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { extname, join } from "node:path";
import { log } from "#lib/log.ts";
import { afterPaint } from "#server/after-paint.ts";
import { ask } from "#server/ask-next.ts";
import { contentPolicy, FILE_POLICY, inlineScriptHashes } from "#server/policy.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import { StaticCopy } from "#server/static-copy.ts";
import { NOT_FOUND, type Routes } from "#server/static-routes.ts";

const MINUTE_MS = 60_000;
const REFRESH_MS = 10 * MINUTE_MS;
/** Larger files stay on disk, and Next sends them. */
const LARGEST_FILE = 1_000_000;

const FOR_EVER = "public, max-age=31536000, immutable";
const A_DAY = "public, max-age=86400, stale-while-revalidate=604800";
const REVALIDATE = "public, max-age=0, must-revalidate";
/** A file name that changes with its content, as those of the preview pictures. */
const HASHED_NAME = /-[0-9a-f]{12}\.\w+$/;
/** The service worker: its policy says what it may fetch, and the next visit must find a new one. */
const SERVICE_WORKER = "/sw.js";

const TYPES: Record<string, string> = {
  ".avif": "image/avif",
  ".css": "text/css; charset=UTF-8",
  ".gif": "image/gif",
  ".ico": "image/x-icon",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".js": "application/javascript; charset=UTF-8",
  ".json": "application/json; charset=UTF-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=UTF-8",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

const UNKNOWN_TYPE = "application/octet-stream";

export interface StaticSiteParts {
  next: RequestHandler;
  routes: Routes;
  /** Of every answer, ours and Next's. */
  headers: Record<string, string>;
  /** Where the build and `public` are. */
  folder: string;
}

export class StaticSite {
  readonly #parts: StaticSiteParts;
  readonly #files = new Map<string, StaticCopy>();
  readonly #pages = new Map<string, StaticCopy>();
  /** The files that are too large, or of a type that is unknown here. */
  readonly #leftToNext = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  private constructor(parts: StaticSiteParts) {
    this.#parts = parts;
  }

  /** Reads everything; compressing goes on in the background, and so does keeping up with Next. */
  static async open(parts: StaticSiteParts): Promise<StaticSite> {
    const site = new StaticSite(parts);
    const { folder } = parts;
    site.#readFolder(join(folder, ".next/static"), "/_next/static/", () => FOR_EVER);
    site.#readFolder(join(folder, "public"), "/", (path) => {
      if (path === SERVICE_WORKER) return "no-cache";
      return HASHED_NAME.test(path) ? FOR_EVER : A_DAY;
    });
    await site.refresh();
    site.#compress().catch((err: unknown) => log.error({ err }, "a file could not be compressed"));
    return site;
  }

  /** Answers from memory, and passes everything else on with a policy of its own. */
  handle: RequestHandler = async (request, response) => {
    const copy = this.#find(request);
    if (copy) return copy.send(request, response);
    const policy = contentPolicy([`'nonce-${randomBytes(16).toString("base64")}'`]);
    // Next answers an odd range with 500. A browser can also take the whole file.
    delete request.headers.range;
    // Next takes the nonce for the scripts of a page that it renders now from the request's policy.
    request.headers["content-security-policy"] = policy;
    response.setHeaders(new Map(Object.entries(this.#parts.headers)));
    response.setHeader("content-security-policy", policy);
    return this.#parts.next(request, response);
  };

  #find({ method, url = "", headers }: IncomingMessage): StaticCopy | undefined {
    if ((method !== "GET" && method !== "HEAD") || headers.rsc !== undefined) return undefined;
    const [rawPath = "", query = ""] = url.split("?", 2);
    if (query.includes("_rsc")) return undefined;
    const path = decoded(rawPath);
    if (path === undefined) return undefined;
    const page = this.#pages.get(path);
    if (page) return page;
    const file = this.#files.get(path);
    if (file) return file;
    const known = this.#leftToNext.has(path) || this.#parts.routes.belongsToNext(path);
    return known ? undefined : this.#pages.get(NOT_FOUND);
  }

  /** Takes Next's current answer. While Next renders a page again, it answers with the one before. */
  async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    for (const path of this.#parts.routes.prerendered) {
      await this.#ask(path).catch((err: unknown) => {
        log.error({ err, path }, "a page could not be made anew: the one from before is shown");
      });
    }
    this.#timer = setTimeout(() => void this.refresh(), REFRESH_MS).unref();
  }

  async #ask(path: string): Promise<void> {
    const { status, headers, body: made } = await ask(this.#parts.next, path);
    if (status !== (path === NOT_FOUND ? 404 : 200)) throw new Error(`answered with ${status}`);
    const type = headers["content-type"] ?? UNKNOWN_TYPE;
    const page = type.startsWith("text/html") ? afterPaint(made.toString()) : undefined;
    const copy = new StaticCopy({
      status,
      body: page ? Buffer.from(page) : made,
      folder: this.#parts.folder,
      headers: {
        ...this.#parts.headers,
        "content-security-policy": page ? contentPolicy(inlineScriptHashes(page)) : FILE_POLICY,
        "content-type": type,
        "cache-control": page ? REVALIDATE : (headers["cache-control"] ?? REVALIDATE),
        ...(page && { vary: "rsc" }),
      },
    });
    if (this.#pages.get(path)?.hash !== copy.hash) {
      // Once visitors are served, a page is compressed before it is shown to them.
      if (this.#timer) await copy.compress();
      this.#pages.set(path, copy);
    }
  }

  #readFolder(folder: string, prefix: string, keptFor: (path: string) => string): void {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const file = join(folder, name);
      const path = prefix + name.replaceAll("\\", "/");
      const stats = statSync(file);
      if (!stats.isFile()) continue;
      if (typeOf(path) === undefined || stats.size > LARGEST_FILE) {
        this.#leftToNext.add(path);
        continue;
      }
      this.#files.set(path, this.#file(path, readFileSync(file), keptFor(path)));
    }
  }

  #file(path: string, body: Buffer, cacheControl: string): StaticCopy {
    return new StaticCopy({
      status: 200,
      body,
      folder: this.#parts.folder,
      headers: {
        ...this.#parts.headers,
        "content-security-policy": path === SERVICE_WORKER ? contentPolicy() : FILE_POLICY,
        "content-type": typeOf(path) ?? UNKNOWN_TYPE,
        "cache-control": cacheControl,
      },
    });
  }

  /** Pages first, one after the other: the rest of the process goes on meanwhile. */
  async #compress(): Promise<void> {
    for (const copy of [...this.#pages.values(), ...this.#files.values()]) await copy.compress();
  }
}

function typeOf(path: string): string | undefined {
  return TYPES[extname(path).toLowerCase()];
}

function decoded(path: string): string | undefined {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
