/** The page cache with a fake Next. Importing this module makes a new site before each test of the file. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect } from "vitest";
import { pagePaths } from "#lib/content/pages.ts";
import { withClientAddress } from "#server/client-address.ts";
import { securityHeaders } from "#server/content-policy.ts";
import { otherMethodRoute } from "#server/direct-routes.ts";
import { PageCache } from "#server/page-cache.ts";
import { createVisitorRenderer } from "#server/render-with-next.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import { createRoutesHandler } from "#server/route-requests.ts";
import { serveHandler } from "#testing/site/http-server.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

export const pageHtml = (word: string) =>
  `<!doctype html><title>${word}</title><script>say("${word}")</script>${"<p>차근차근</p>".repeat(60)}`;
const PATHS = [...pagePaths, "/_not-found", "/robots.txt", "/sitemap.xml", "/icon.svg"];
const UNCACHED_PATHS = ["/api/health", "/api/sms/training-application", "/contact/result"];
export const SCRIPT_CODE = `const words = "${"road ".repeat(300)}";`;

let folder: string;
export let pagesOfNext: Record<string, string>;
export let requestsToNext: string[];

const next: RequestHandler = async (request, response) => {
  const { url = "" } = request;
  requestsToNext.push([request.method, url, request.headers.range].join(" ").trim());
  const found = pagesOfNext[url];
  response.setHeader("content-type", url.endsWith(".svg") ? "image/svg+xml" : "text/html");
  if (url !== "/privacy") response.setHeader("link", "</font.woff2>; rel=preload; as=font");
  response.setHeader("cache-control", "no-store");
  response.writeHead(found && url !== "/_not-found" ? 200 : 404);
  response.end(found ?? `next: ${request.headers["content-security-policy"]}`);
};

const writeBuildFile = (name: string, content: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
};

beforeEach(() => {
  folder = makeTemporaryFolder();
  requestsToNext = [];
  pagesOfNext = Object.fromEntries(PATHS.map((path) => [path, pageHtml(path)]));
  const routes = Object.fromEntries(
    [...PATHS, "/_global-error", ...UNCACHED_PATHS].map((path) => [path, path]),
  );
  writeBuildFile(".next/app-path-routes-manifest.json", JSON.stringify(routes));
  const prerendered = { "/icon.svg": {}, "/_global-error": {} };
  writeBuildFile(".next/prerender-manifest.json", JSON.stringify({ routes: prerendered }));
  writeBuildFile(".next/static/chunks/main.js", SCRIPT_CODE);
  writeBuildFile(
    "public/art/수업.svg",
    `<svg xmlns="http://www.w3.org/2000/svg">${" ".repeat(600)}</svg>`,
  );
  writeBuildFile("public/sw.js", `const version = "of-build-${"a".repeat(43)}"; ${SCRIPT_CODE}`);
});

export const earlierBuildsFolder = () => join(folder, "data/builds");

export async function openPageCache() {
  const pageCache = await PageCache.open({
    next,
    folder,
    earlierBuildsFolder: earlierBuildsFolder(),
  });
  const handler = createRoutesHandler(
    [pageCache.route, otherMethodRoute, pageCache.notFoundRoute],
    createVisitorRenderer(next),
    securityHeaders({ siteUrl: "http://practice.test" }),
  );
  const port = await serveHandler(withClientAddress(handler, 0));
  const get = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const url = `http://127.0.0.1:${port}${path}`;
    const answer = await fetch(url, { method, headers, redirect: "manual" });
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    return answer;
  };
  requestsToNext.length = 0;
  return { pageCache, get };
}
