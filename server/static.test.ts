import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterPaint } from "#server/after-paint.ts";
import { compress, compressedFile } from "#server/compress.ts";
import { createHttpServer, listen } from "#server/http.ts";
import { inlineScriptHashes } from "#server/policy.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import { StaticSite } from "#server/static.ts";
import { readRoutes } from "#server/static-routes.ts";

const page = (word: string) =>
  `<!doctype html><title>${word}</title><script>say("${word}")</script>${"<p>차근차근</p>".repeat(60)}`;
const SCRIPT = `const words = "${"road ".repeat(300)}";`;

let folder: string;
let server: Server | undefined;
/** What stands for Next: its pages, and what it was asked. */
let pages: Record<string, string>;
let asked: string[];

const next: RequestHandler = async (request, response) => {
  asked.push([request.method, request.url, request.headers.range].join(" ").trim());
  const found = pages[request.url ?? ""];
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.writeHead(request.url === "/_not-found" ? 404 : found ? 200 : 500);
  response.end(found ?? `next: ${request.headers["content-security-policy"]}`);
};

const regexes = (...paths: string[]) => paths.map((path) => ({ page: path, regex: `^${path}$` }));
const write = (name: string, content: string | Buffer) => {
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

async function open() {
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

test("a page is Next's, with a policy of its own scripts, and Next is not asked again", async () => {
  const { get } = await open();
  const answer = await get("/?utm_source=naver");
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe(page("home"));
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  const [hash = "none"] = inlineScriptHashes(page("home"));
  expect(answer.headers.get("content-security-policy")).toContain(`script-src 'self' ${hash};`);
  expect(asked).toEqual([]);
});

test("a path that nobody knows is the 404 page with its policy", async () => {
  const { get } = await open();
  for (const path of [
    "/no-such-road",
    "/%EC%97%86%EB%8A%94%EA%B8%B8",
    "/..%2fpackage.json",
    "/_not-found",
  ]) {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toBe(page("lost"));
    const [hash = "none"] = inlineScriptHashes(page("lost"));
    expect(answer.headers.get("content-security-policy")).toContain(hash);
  }
  expect(asked).toEqual([]);
});

test("what is not a prerendered answer goes on to Next, under a nonce", async () => {
  const { get } = await open();
  const passed = await Promise.all([
    get("/", {}, "POST"),
    get("/", { rsc: "1" }),
    get("/?_rsc=abc"),
    get("/api/health"),
    get("/contact/result"),
    get("/_next/image?url=x"),
    get("/_next/static/chunks/of-the-build-before.js"),
    get("/contact/"),
    get("/%zz"),
    get("/large.jpg", { range: "bytes=999999999-" }),
  ]);
  expect(asked).toHaveLength(passed.length);
  // Next answers an odd range with 500, and gets none.
  expect(asked).toContain("GET /large.jpg");
  for (const answer of passed) {
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]{24}';/);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    const text = await answer.text();
    if (text.startsWith("next: ")) expect(text).toBe(`next: ${policy}`);
  }
});

test("the best encoding that the client takes is sent, and Vary says so", async () => {
  const { get } = await open();
  const sizes = new Map<string, number>();
  for (const [accepted, encoding] of [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=0.8", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["deflate", null],
    ["identity", null],
  ] as const) {
    const answer = await get("/_next/static/chunks/main.js", { "accept-encoding": accepted });
    expect(answer.headers.get("content-encoding"), accepted).toBe(encoding);
    expect(answer.headers.get("vary")).toBe("accept-encoding");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await answer.text()).toBe(SCRIPT);
    sizes.set(encoding ?? "plain", Number(answer.headers.get("content-length")));
  }
  expect(sizes.get("plain")).toBe(SCRIPT.length);
  expect(sizes.get("gzip")).toBeLessThan(100);
  expect(sizes.get("br")).toBeLessThan(sizes.get("gzip") ?? 0);
});

test("an answer that the client has is not sent again; each encoding has its own tag", async () => {
  const { get } = await open();
  const tags = new Set<string>();
  for (const encoding of ["br", "gzip", "identity"]) {
    const tag = (await get("/", { "accept-encoding": encoding })).headers.get("etag") ?? "";
    tags.add(tag);
    for (const condition of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      const again = await get("/", { "accept-encoding": encoding, "if-none-match": condition });
      expect(again.status).toBe(304);
      expect(again.headers.get("etag")).toBe(tag);
      expect(again.headers.get("content-security-policy")).toContain("'sha256-");
      expect(await again.text()).toBe("");
    }
    const other = await get("/", { "accept-encoding": encoding, "if-none-match": '"x"' });
    expect(other.status).toBe(200);
  }
  expect(tags.size).toBe(3);
});

test("what the build has compressed is read, and nothing else", async () => {
  const other = Buffer.from("compressed by the build");
  write(compressedFile("", Buffer.from(SCRIPT), "br"), await compress(other, "br"));
  const { get } = await open();
  const body = async (encoding: string) =>
    (await get("/_next/static/chunks/main.js", { "accept-encoding": encoding })).text();
  expect(await body("br")).toBe(other.toString());
  expect(await body("gzip")).toBe(SCRIPT);
});

test("a part of a file is sent, and an odd one is no fault", async () => {
  const { get } = await open();
  const part = async (range: string, more: Record<string, string> = {}, method = "GET") => {
    const headers = { range, "accept-encoding": "br", ...more };
    const answer = await get("/_next/static/chunks/main.js", headers, method);
    return [answer.status, answer.headers.get("content-range"), await answer.text()] as const;
  };
  const length = SCRIPT.length;
  const tag = (
    await get("/_next/static/chunks/main.js", { "accept-encoding": "identity" })
  ).headers.get("etag");
  for (const [range, from, to] of [
    ["bytes=6-10", 6, 10],
    ["bytes=1500-", 1500, length - 1],
    ["bytes=-5", length - 5, length - 1],
    ["bytes=6-999999", 6, length - 1],
    ["bytes=-999999", 0, length - 1],
  ] as const) {
    const sent = [206, `bytes ${from}-${to}/${length}`, SCRIPT.slice(from, to + 1)];
    expect(await part(range), range).toEqual(sent);
    expect(await part(range, { "if-range": tag ?? "" }), range).toEqual(sent);
    expect(await part(range, { "if-range": '"another"' }), range).toEqual([200, null, SCRIPT]);
  }
  for (const range of ["bytes=999999999-", "bytes=-0", `bytes=${length}-`]) {
    expect(await part(range), range).toEqual([416, `bytes */${length}`, ""]);
  }
  for (const range of ["abc", "bytes=9-1", "bytes=", "bytes=-", "bytes=1-2,4-5", "lines=1-2"]) {
    expect(await part(range), range).toEqual([200, null, SCRIPT]);
  }
  expect((await part("bytes=6-10", {}, "HEAD"))[0]).toBe(200);
  expect(asked).toEqual([]);
});

test("the service worker is asked for at each visit, and may fetch what it keeps", async () => {
  const { get } = await open();
  const { headers } = await get("/sw.js");
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(headers.get("content-security-policy")).toContain("default-src 'self'");
  const script = await get("/_next/static/chunks/main.js");
  expect(script.headers.get("content-security-policy")).toContain("default-src 'none'");
});

test("the scripts of a page wait for its first paint, under the hash of what starts them", async () => {
  pages["/"] = page("home").replace(
    "<title>",
    `<head><script src="/_next/static/chunks/main.js" async=""></script></head><title>`,
  );
  const { get } = await open();
  const answer = await get("/");
  const html = await answer.text();
  expect(html).toBe(afterPaint(pages["/"]));
  const [starter = "none"] = inlineScriptHashes(html);
  expect(answer.headers.get("content-security-policy")).toContain(starter);
});

test("HEAD says what GET would, without the body", async () => {
  const { get } = await open();
  const accept = { "accept-encoding": "br" };
  const [head, full] = [await get("/", accept, "HEAD"), await get("/", accept)];
  for (const name of ["content-length", "etag", "content-encoding", "content-security-policy"]) {
    expect(head.headers.get(name)).toBe(full.headers.get(name));
  }
  expect(await head.text()).toBe("");
});

test("pictures are found by any name, kept for a day, or for ever when the name tells the content", async () => {
  const { get } = await open();
  const drawing = await get(encodeURI("/art/수업.svg"));
  expect(drawing.headers.get("content-type")).toBe("image/svg+xml");
  expect(drawing.headers.get("cache-control")).toMatch(/^public, max-age=86400/);
  const preview = await get("/previews/home-0123456789ab.jpg", { "accept-encoding": "br" });
  expect(preview.headers.get("cache-control")).toContain("immutable");
  expect(preview.headers.get("content-encoding")).toBe(null);
  expect(asked).toEqual([]);
});

test("Next is asked for each page again after ten minutes, and nothing more", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { get } = await open();
  pages["/"] = page("next year");
  await vi.advanceTimersByTimeAsync(10 * 60_000 - 1);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitUntil(async () => (await (await get("/")).text()) === page("next year"));
  const answer = await get("/");
  const [hash = "none"] = inlineScriptHashes(page("next year"));
  expect(answer.headers.get("content-security-policy")).toContain(hash);
  await vi.waitUntil(() => vi.getTimerCount() === 1);
  expect(asked).toEqual(["GET /", "GET /_not-found"]);
});

test("a page that Next cannot make stays as it was", async () => {
  const { site, get } = await open();
  delete pages["/"];
  await site.refresh();
  const answer = await get("/");
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe(page("home"));
});
