import { expect, test } from "vitest";
import { open, SCRIPT } from "#testing/static-site.ts";

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

test("the service worker is asked for at each visit, and may fetch what it keeps", async () => {
  const { get } = await open();
  const { headers } = await get("/sw.js");
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(headers.get("content-security-policy")).toContain("default-src 'self'");
  const script = await get("/_next/static/chunks/main.js");
  expect(script.headers.get("content-security-policy")).toContain("default-src 'none'");
});

test("HEAD says what GET would, without the body", async () => {
  const { get } = await open();
  const [head, full] = [await get("/", {}, "HEAD"), await get("/")];
  for (const name of ["content-length", "etag", "content-encoding", "content-security-policy"]) {
    expect(head.headers.get(name)).toBe(full.headers.get(name));
  }
  expect(await head.text()).toBe("");
});

test("pictures are found by any name, and kept for a day", async () => {
  const { get } = await open();
  const { headers } = await get(encodeURI("/art/수업.svg"));
  expect(headers.get("content-type")).toBe("image/svg+xml");
  expect(headers.get("cache-control")).toMatch(/^public, max-age=86400/);
});
