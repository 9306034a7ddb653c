/** The files of the build and of `public`, read into memory. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { Answer, hashOf } from "#server/answer.ts";
import { contentPolicy, FILE_POLICY } from "#server/policy.ts";

export const FOR_EVER = "public, max-age=31536000, immutable";
export const A_DAY = "public, max-age=86400, stale-while-revalidate=604800";

/** Its policy says what it may fetch, and the next visit must find a new one. */
export const SERVICE_WORKER = "/sw.js";
/** In the service worker: which build it is from. build/service-worker.ts writes it. */
const WORKER_VERSION = /of-build-[\w-]+/g;

const TYPES: Record<string, string> = {
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
  ".rules": "application/speculationrules+json",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=UTF-8",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".xml": "application/xml",
};

/** The names of all files below a folder, with slashes. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll("\\", "/"));
}

/** What is answered to the path of each file. */
export function readFiles(
  folder: string,
  prefix: string,
  headers: Record<string, string>,
): Map<string, Answer> {
  const answerOf = (name: string) => fileAnswer(name, readFileSync(join(folder, name)), headers);
  return new Map(filesBelow(folder).map((name) => [prefix + name, answerOf(name)]));
}

/** `headers` may name another policy. */
function fileAnswer(name: string, body: Buffer, headers: Record<string, string>): Answer {
  const type = TYPES[extname(name).toLowerCase()] ?? "application/octet-stream";
  const usual = { "content-security-policy": FILE_POLICY, "content-type": type };
  return new Answer({ body, headers: { ...usual, ...headers } });
}

/** The service worker: another one as soon as a page is another, so that browsers keep the new one. */
export function workerAnswer(
  source: string,
  pages: Iterable<Answer>,
  headers: Record<string, string>,
): Answer {
  const version = hashOf(source + Array.from(pages, ({ hash }) => hash).join());
  return fileAnswer(SERVICE_WORKER, Buffer.from(source.replace(WORKER_VERSION, version)), {
    ...headers,
    "content-security-policy": contentPolicy(),
    "cache-control": "no-cache",
  });
}
