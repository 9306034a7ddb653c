import { expect, test } from "vitest";
import { serve, talk } from "#testing/site/http-server.ts";

const HOST = "Host: site.example:3000";

/** A request line, its headers, and what a server says to it that tells the path that it got. */
test.for<[line: string, headers: string[], answer: RegExp]>([
  ["GET /pricing?a=1", [HOST], /got \/pricing\?a=1$/],
  ["GET http://site.example:3000/pricing", [HOST], /got \/pricing$/],
  ["GET http://SITE.example:3000", [HOST], /got \/$/],
  ["GET http://site.example:3000?a=1", [HOST], /got \/\?a=1$/],
  ["GET *", [HOST], /^HTTP\/1\.1 400 /],
  ["OPTIONS *", [HOST], /^HTTP\/1\.1 400 /],
  ["GET http://evil.example/contact/", [HOST], /^HTTP\/1\.1 400 /],
  ["GET http://site.example:1/contact/", [HOST], /^HTTP\/1\.1 400 /],
  ["GET pricing", [HOST], /^HTTP\/1\.1 400 /],
  ["GET /", [HOST, "Host: evil.example"], /^HTTP\/1\.1 400 /],
  ["GET /", [HOST, HOST], /^HTTP\/1\.1 400 /],
  ["GET /", [], /^HTTP\/1\.1 400 /],
  ["GET /", ["Host:"], /^HTTP\/1\.1 400 /],
  ["GET /", ["Host: a b/c"], /^HTTP\/1\.1 400 /],
])("%s with %j", async ([line, headers, answer]) => {
  const port = await serve(async ({ url }, response) => void response.end(`got ${url}`));
  const lines = [`${line} HTTP/1.1`, "Connection: close", ...headers, "", ""];
  expect(await talk(port, lines.join("\r\n"))).toMatch(answer);
});
