import { expect, test, vi } from "vitest";
import { pagePaths } from "#lib/content/pages.ts";
import { CachedResponse } from "#server/cached-response.ts";
import { hashInlineScripts } from "#server/content-policy.ts";
import { openPageCache, pageHtml, pagesOfNext, requestsToNext } from "#testing/site/static-site.ts";

/** Noon in Seoul, and half a minute after the following midnight. */
const NOON = Date.UTC(2026, 11, 31, 3);
const MIDNIGHT = Date.UTC(2026, 11, 31, 15, 0, 30);

/** Expects a cached page whose policy allows exactly the page's own scripts. */
async function expectPage(answer: Response, word: string, status = 200): Promise<void> {
  const [hash = "none"] = hashInlineScripts(pageHtml(word));
  expect([answer.status, await answer.text()]).toEqual([status, pageHtml(word)]);
  expect(answer.headers.get("content-security-policy")).toContain(`script-src 'self' ${hash};`);
}

test("a page is cached with a policy for its own scripts", async () => {
  const { get } = await openPageCache();
  const answer = await get("/?utm_source=naver", { rsc: "1" });
  await expectPage(answer, "/");
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/html",
    "cache-control": "no-cache, no-transform",
    link: "</font.woff2>; rel=preload; as=font",
  });
  // Next sends no Link header with this page.
  await expectPage(await get("/privacy"), "/privacy");
  expect(requestsToNext).toEqual([]);
});

test("a page with a stock photo may show pictures of its host", async () => {
  const photo = `<img src="https://images.unsplash.com/road.jpg?w=640"/>`;
  pagesOfNext["/gallery"] = pageHtml("/gallery") + photo;
  const { get } = await openPageCache();
  const allowed = "img-src 'self' https://images.unsplash.com;";
  const policyOf = async (path: string) => (await get(path)).headers.get("content-security-policy");
  expect(await policyOf("/gallery")).toContain(allowed);
  expect(await policyOf("/")).not.toContain("img-src");
});

test("an unknown path gets the 404 page with its policy", async () => {
  const { get } = await openPageCache();
  for (const path of [
    "/no-such-road",
    "/%EC%97%86%EB%8A%94%EA%B8%B8",
    "/..%2fpackage.json",
    "/_not-found",
    "/_global-error",
  ]) {
    await expectPage(await get(path, { "if-none-match": "*" }), "/_not-found", 404);
  }
  expect(requestsToNext).toEqual([]);
});

test("a response that is not cached comes from Next with a nonce in its policy", async () => {
  const { get } = await openPageCache();
  const passed = await Promise.all([
    get("/api/health"),
    get("/contact/result", { range: "bytes=999999999-" }),
    get("/_next/static/chunks/of-another-site.js"),
    get("/contact/"),
    get("/contact//result"),
    get("/contact%5Cresult"),
    get("/%zz"),
  ]);
  expect(requestsToNext).toHaveLength(passed.length);
  const policies = passed.map(({ headers }) => headers.get("content-security-policy"));
  expect(new Set(policies).size).toBe(passed.length);
  // The server has removed the invalid range from the request: Next would answer 500 to it.
  expect(requestsToNext).toContain("GET /contact/result");
  for (const answer of passed) {
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]{24}';/);
    const text = await answer.text();
    if (text.startsWith("next: ")) expect(text).toBe(`next: ${policy}`);
  }
});

test("a path answers 405 to an HTTP method that the path does not allow [56]", async () => {
  const { get } = await openPageCache();
  for (const [path, ...methods] of [
    ["/", "POST", "PUT", "PROPFIND"],
    ["/no-such-road", "POST"],
    ["/api/health", "DELETE"],
  ] as const) {
    for (const method of methods) {
      const answer = await get(path, {}, method);
      expect([path, answer.status, answer.headers.get("allow")]).toEqual([path, 405, "GET, HEAD"]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(await answer.text()).toContain('<a href="/contact">');
    }
  }
  expect(requestsToNext).toEqual([]);
});

test("a page answers 204 to OPTIONS, HAProxy's default check", async () => {
  const { get } = await openPageCache();
  const answer = await get("/", {}, "OPTIONS");
  expect([answer.status, answer.headers.get("allow")]).toEqual([204, "GET, HEAD"]);
});

test("pages and the service worker are rendered again after midnight in Seoul [98]", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "setTimeout"], now: NOON });
  const compress = vi.spyOn(CachedResponse.prototype, "compress");
  const { pageCache, get } = await openPageCache();
  // The start does not wait for the compression.
  expect(compress).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10_000);
  await expect.poll(() => compress.mock.calls.length).toBe(pagePaths.length + 4 + 3);
  compress.mockClear();
  const worker = async () => (await get("/sw.js")).text();
  const before = await worker();
  expect(before).not.toContain("of-build");
  const servers = () => process.getActiveResourcesInfo().filter((each) => /Server/.test(each));
  const listening = servers();
  await pageCache.refresh(MIDNIGHT - 60_000);
  expect(requestsToNext).toEqual([]);
  vi.setSystemTime(MIDNIGHT - 60_000);
  vi.advanceTimersByTime(60_000);
  await expect.poll(() => compress.mock.calls.length).toBe(pagePaths.length + 4);
  expect(requestsToNext).toHaveLength(pagePaths.length + 4);
  expect(await worker()).toBe(before);

  pagesOfNext["/"] = pageHtml("next year");
  await pageCache.refresh(MIDNIGHT + 86_400_000);
  await expectPage(await get("/"), "next year");
  expect(await worker()).not.toBe(before);
  await expect.poll(servers).toEqual(listening);
});

test("a page that Next cannot render keeps its previous version", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOON });
  const { pageCache, get } = await openPageCache();
  delete pagesOfNext["/"];
  await pageCache.refresh(MIDNIGHT);
  await expectPage(await get("/"), "/");
  pagesOfNext["/"] = pageHtml("fixed");
  await pageCache.refresh(MIDNIGHT + 60_000);
  await expectPage(await get("/"), "fixed");
});
