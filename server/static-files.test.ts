import { expect, test } from "vitest";
import { compress, compressedFile } from "#server/compress.ts";
import { asked, open, SCRIPT, write } from "#testing/static-site.ts";

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
