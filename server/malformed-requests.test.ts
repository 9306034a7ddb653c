import { expect, test } from "vitest";
import { sendBytes, serveHandler } from "#testing/site/http-server.ts";

const HOST = "Host: site.example:3000";

/** The server answers with the host and the path that the handler received. */
test.for<[line: string, headers: string[], answer: RegExp]>([
  ["GET /pricing?a=1", [HOST], /got site\.example:3000\/pricing\?a=1$/],
  ["GET http://site.example:3000/pricing", [HOST], /got \S+\/pricing$/],
  ["GET http://SITE.example:3000", [HOST], /got \S+\/$/],
  ["GET http://site.example:3000?a=1", [HOST], /got \S+\/\?a=1$/],
  ["GET /pricing", ["Host: [2001:db8::1]:3000"], /got \[2001:db8::1\]:3000\/pricing$/],
  ["GET /pricing", ["Host: site.example:"], /got site\.example:\/pricing$/],
  ["GET /pricing", ["Host: [2001:db8::1]:port"], /^HTTP\/1\.1 400 /],
  ["GET /pricing", ["Host: site.example:port"], /^HTTP\/1\.1 400 /],
  ["GET /api/health", ["Host:"], /got practice\.test\/api\/health$/],
  ["GET http://practice.test/", ["Host:"], /got practice\.test\/$/],
  ["GET http://evil.example/", ["Host:"], /^HTTP\/1\.1 400 /],
  ["GET /", ["Host:", HOST], /^HTTP\/1\.1 400 /],
  ["GET *", [HOST], /^HTTP\/1\.1 400 /],
  ["GET http://evil.example/contact/", [HOST], /^HTTP\/1\.1 400 /],
  ["GET pricing", [HOST], /^HTTP\/1\.1 400 /],
  ["GET /", [HOST, "Host: evil.example"], /^HTTP\/1\.1 400 /],
  ["GET /", [], /^HTTP\/1\.1 400 /],
  ["GET /", ["Host: a b/c"], /^HTTP\/1\.1 400 /],
  ["GET /api/health HTTP/1.0", [], /got practice\.test\/api\/health$/],
])("the request %s with headers %j gets the answer %s [56]", async ([line, headers, answer]) => {
  const first = line.endsWith(" HTTP/1.0") ? line : `${line} HTTP/1.1`;
  // The server itself closes the connection after a 400.
  const closing = answer.source.includes("400") ? [] : ["Connection: close"];
  const lines = [first, ...closing, ...headers, "", ""];
  const port = await serveHandler(
    async ({ url, headers }, response) => void response.end(`got ${headers.host}${url}`),
  );
  expect(await sendBytes(port, lines.join("\r\n"))).toMatch(answer);
});
