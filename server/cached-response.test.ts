import { expect, test } from "vitest";
import { CachedResponse } from "#server/cached-response.ts";
import { serveHandler } from "#testing/site/http-server.ts";

test.each([
  ["text/html; charset=utf-8", 513, "gzip"],
  ["text/html; charset=utf-8", 512, null],
  ["image/svg+xml", 600, "gzip"],
  ["application/javascript", 600, "gzip"],
  ["application/manifest+json", 600, "gzip"],
  ["application/xml", 600, "gzip"],
  ["image/webp", 600, null],
  [undefined, 600, null],
])("a response of type %s with %d bytes is sent with the encoding %s", async (type, size, how) => {
  const headers = type === undefined ? {} : { "content-type": type };
  const cached = new CachedResponse({ headers, body: Buffer.alloc(size, "a") });
  const port = await serveHandler((request, response) => cached.send(request, response));
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(answer.headers.get("content-encoding")).toBe(how);
  expect(answer.headers.get("vary")).toBe(how && "accept-encoding");
  expect(await answer.text()).toHaveLength(size);
});
