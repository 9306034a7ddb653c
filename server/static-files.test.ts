import { expect, test } from "vitest";
import { openPageCache, SCRIPT_CODE } from "#testing/site/static-site.ts";

test("a file is sent in the best encoding that the client accepts", async () => {
  const { get } = await openPageCache();
  const sizes = new Map<string, number>();
  for (const [accepted, encoding] of [
    ["gzip, deflate, br, zstd", "br"],
    ["GZip;q=0.8", "gzip"],
    ["br;q=0.000, gzip", "gzip"],
    ["deflate", null],
    ["identity", null],
  ] as const) {
    const answer = await get("/_next/static/chunks/main.js", { "accept-encoding": accepted });
    expect(answer.headers.get("content-encoding"), accepted).toBe(encoding);
    expect(answer.headers.get("vary")).toBe("accept-encoding");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await answer.text()).toBe(SCRIPT_CODE);
    sizes.set(encoding ?? "plain", Number(answer.headers.get("content-length")));
  }
  expect(sizes.get("plain")).toBe(SCRIPT_CODE.length);
  expect(sizes.get("gzip")).toBeLessThan(100);
  expect(sizes.get("br")).toBeLessThan(sizes.get("gzip") ?? 0);
});

test("a request with a matching If-None-Match is answered with 304", async () => {
  const { get } = await openPageCache();
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

test.for([
  ["/sw.js", "application/javascript", "no-cache", "default-src 'self'"],
  ["/_next/static/chunks/main.js", "application/javascript", "immutable", "default-src 'none'"],
  ["/art/수업.svg", "image/svg+xml", "public, max-age=86400", "default-src 'none'"],
] as const)(
  "the file %s has the type %s, the caching %s and the policy %s",
  async ([path, ...said]) => {
    const { headers } = await (await openPageCache()).get(encodeURI(path));
    for (const [index, name] of [
      "content-type",
      "cache-control",
      "content-security-policy",
    ].entries())
      expect(headers.get(name)).toContain(said[index]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  },
);

test("a HEAD request gets the headers of a GET request and no body", async () => {
  const { get } = await openPageCache();
  const [head, full] = [await get("/", {}, "HEAD"), await get("/")];
  for (const name of ["content-length", "etag", "content-encoding", "content-security-policy"]) {
    expect(head.headers.get(name)).toBe(full.headers.get(name));
  }
  expect(await head.text()).toBe("");
});
