import { expect, test, vi } from "vitest";
import { afterPaint } from "#server/after-paint.ts";
import { inlineScriptHashes } from "#server/policy.ts";
import { asked, open, page, pages } from "#testing/static-site.ts";

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
