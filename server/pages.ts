import { readFileSync } from "node:fs";
import { join } from "node:path";
import { STOCK_PHOTO_HOST } from "#lib/content/business.ts";
import { pagePaths } from "#lib/content/pages.ts";
import { log } from "#lib/log.ts";
import { CachedResponse } from "#server/cached-response.ts";
import { contentPolicy, hashInlineScripts } from "#server/content-policy.ts";
import { deferScripts } from "#server/defer-scripts.ts";
import { renderWithNext } from "#server/render-with-next.ts";
import type { RequestHandler } from "#server/request-handler.ts";

export const NOT_FOUND_PATH = "/_not-found";
const GLOBAL_ERROR_PATH = "/_global-error";
/** Paths whose response depends on the settings, but not on the visitor. */
const VISITOR_INDEPENDENT_PATHS = [...pagePaths, NOT_FOUND_PATH, "/robots.txt", "/sitemap.xml"];

/** By these rules the browser fetches a linked page at a touch or a hover, before the click. */
const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    { where: { selector_matches: "a[href^='/']:not([aria-haspopup])" }, eagerness: "moderate" },
  ],
});
const EMPTY_PRECONNECT_PATTERN = /<\/>; rel=preconnect[^,]*, /;
/** `no-transform`: Cloudflare would replace mail addresses, and React would then render the whole page again. */
const REVALIDATED_CACHE_CONTROL = "no-cache, no-transform";

/** `renderedAtStart`: the paths of the page cache. `known`: the paths that Next has, without files and redirects. */
export function readBuiltPaths(folder: string) {
  const read = (name: string) => JSON.parse(readFileSync(join(folder, ".next", name), "utf8"));
  const prerendered: string[] = Object.keys(read("prerender-manifest.json").routes);
  const known: string[] = Object.values(read("app-path-routes-manifest.json"));
  const renderedAtStart = new Set([...VISITOR_INDEPENDENT_PATHS, ...prerendered]);
  renderedAtStart.delete(GLOBAL_ERROR_PATH);
  const internal = [NOT_FOUND_PATH, GLOBAL_ERROR_PATH];
  return {
    renderedAtStart: [...renderedAtStart],
    known: new Set(known.filter((path) => !internal.includes(path))),
  };
}

/** A page that Next cannot render is missing from the result. */
export async function renderPages(next: RequestHandler, paths: readonly string[]) {
  const pages = new Map<string, CachedResponse>();
  for (const path of paths) {
    try {
      pages.set(path, await renderPage(next, path));
    } catch (err) {
      log.error({ err, path }, "rendering a page failed, trying again within a minute");
    }
  }
  return pages;
}

async function renderPage(next: RequestHandler, path: string) {
  const { status, headers, body } = await renderWithNext(next, path);
  if (status !== (path === NOT_FOUND_PATH ? 404 : 200))
    throw new Error(`Next answered with ${status}`);
  const type = headers.get("content-type") ?? "application/octet-stream";
  const kept = { "content-type": type, "cache-control": REVALIDATED_CACHE_CONTROL };
  if (!type.startsWith("text/html")) {
    return new CachedResponse({ body, headers: kept });
  }
  const rules = `<script type="speculationrules">${SPECULATION_RULES}</script>`;
  const html = deferScripts(body.toString()).replace("</head>", () => `${rules}</head>`);
  const stockPhotos = `https://${STOCK_PHOTO_HOST}`;
  const hosts = html.includes(`${stockPhotos}/`) ? [stockPhotos] : [];
  const policy = contentPolicy(hashInlineScripts(html), hosts);
  // By the Link header the browser loads the font first. The preconnect that Next adds to the header is useless.
  const link = headers.get("link")?.replace(EMPTY_PRECONNECT_PATTERN, "");
  return new CachedResponse({
    status,
    body: Buffer.from(html),
    headers: { ...kept, ...(link && { link }), "content-security-policy": policy },
  });
}
