import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { CachedResponse, hashBody } from "#server/cached-response.ts";
import { contentPolicy } from "#server/content-policy.ts";

export const SERVICE_WORKER_PATH = "/sw.js";
/** The version that build/service-worker.ts writes into the service worker. */
const SERVICE_WORKER_VERSION_PATTERN = /of-build-[\w-]+/g;

const CONTENT_TYPES: Record<string, string> = {
  ".avif": "image/avif",
  ".css": "text/css; charset=UTF-8",
  ".gif": "image/gif",
  ".html": "text/html; charset=UTF-8",
  ".ico": "image/x-icon",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".js": "application/javascript; charset=UTF-8",
  ".json": "application/json; charset=UTF-8",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=UTF-8",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".xml": "application/xml",
};

export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll("\\", "/"));
}

export function readStaticFiles(folder: string, prefix: string, cacheControl: string) {
  const toResponse = (name: string) =>
    fileResponse(name, readFileSync(join(folder, name)), { "cache-control": cacheControl });
  return new Map(listFiles(folder).map((name) => [prefix + name, toResponse(name)]));
}

function fileResponse(name: string, body: Buffer, headers: Record<string, string>): CachedResponse {
  const type = CONTENT_TYPES[extname(name).toLowerCase()] ?? "application/octet-stream";
  return new CachedResponse({ body, headers: { "content-type": type, ...headers } });
}

/** The version in the service worker changes with any page, so that browsers then store the new pages. */
export function serviceWorkerResponse(source: string, pages: Iterable<CachedResponse>) {
  const version = hashBody(source + Array.from(pages, ({ hash }) => hash).join());
  return fileResponse(
    SERVICE_WORKER_PATH,
    Buffer.from(source.replace(SERVICE_WORKER_VERSION_PATTERN, version)),
    {
      "content-security-policy": contentPolicy(),
      "cache-control": "no-cache",
    },
  );
}
