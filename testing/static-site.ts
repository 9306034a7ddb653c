/**
 * The pages and files of a build that the server answers by itself, with a stand-in for Next.
 * To import it is to have all of it made anew before each test of the file.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import { createHttpServer, listen } from "#server/http.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import { readRoutes } from "#server/pages.ts";
import { Site } from "#server/site.ts";

export const page = (word: string) =>
  `<!doctype html><title>${word}</title><script>say("${word}")</script>${"<p>차근차근</p>".repeat(60)}`;
export const SCRIPT = `const words = "${"road ".repeat(300)}";`;

let folder: string;
let server: Server | undefined;
/** What stands for Next: its pages, and what it was asked. */
export let pages: Record<string, string>;
export let asked: string[];

const next: RequestHandler = async (request, response) => {
  const { url = "" } = request;
  asked.push([request.method, url, request.headers.range].join(" ").trim());
  const found = pages[url];
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.writeHead(request.url === "/_not-found" ? 404 : found ? 200 : 500);
  response.end(found ?? `next: ${request.headers["content-security-policy"]}`);
};

const regexes = (...paths: string[]) => paths.map((path) => ({ page: path, regex: `^${path}$` }));
export const write = (name: string, content: string | Buffer) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "static-"));
  asked = [];
  pages = { "/": page("home"), "/_not-found": page("lost") };
  write(
    ".next/prerender-manifest.json",
    JSON.stringify({ routes: { "/": {}, "/_not-found": {}, "/_global-error": {} } }),
  );
  write(
    ".next/routes-manifest.json",
    JSON.stringify({
      staticRoutes: regexes("/", "/_not-found", "/_global-error", "/api/health", "/contact/result"),
      dynamicRoutes: [],
    }),
  );
  write(".next/static/chunks/main.js", SCRIPT);
  write("public/art/수업.svg", `<svg xmlns="http://www.w3.org/2000/svg">${" ".repeat(600)}</svg>`);
  write("public/previews/home-0123456789ab.jpg", Buffer.alloc(2_000, 1));
  write("public/sw.js", SCRIPT);
  write("public/large.jpg", Buffer.alloc(1_000_001));
});
afterEach(() => {
  vi.useRealTimers();
  server?.close().closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

export async function open() {
  const site = await StaticSite.open({
    next,
    folder,
    routes: readRoutes(folder),
    headers: { "x-content-type-options": "nosniff" },
  });
  server = createHttpServer(site.handle, { dev: false });
  const port = await listen(server, 0, "127.0.0.1");
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers, redirect: "manual" });
  asked.length = 0;
  return { site, get };
}
