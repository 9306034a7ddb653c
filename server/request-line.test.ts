import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { createHttpServer, listen } from "#server/http.ts";

let server: Server | undefined;
afterEach(() => {
  server?.close().closeAllConnections();
});

/** What a server that tells the path that it got says to a request with this first line and these headers. */
async function ask(line: string, ...headers: string[]): Promise<string> {
  server = createHttpServer(
    async (request, response) => {
      response.end(`got ${request.url}`);
    },
    { dev: false },
  );
  const port = await listen(server, 0, "127.0.0.1");
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write([line, "Connection: close", ...headers, "", ""].join("\r\n"));
  return text(socket);
}

const HOST = "Host: site.example:3000";

test.each([
  ["GET /pricing?a=1 HTTP/1.1", "/pricing?a=1"],
  ["GET http://site.example:3000/pricing HTTP/1.1", "/pricing"],
  ["GET http://SITE.example:3000 HTTP/1.1", "/"],
  ["GET http://site.example:3000?a=1 HTTP/1.1", "/?a=1"],
])("%s is taken", async (line, path) => {
  expect(await ask(line, HOST)).toContain(`got ${path}`);
});

test.each([
  ["an asterisk", "GET * HTTP/1.1", [HOST]],
  ["OPTIONS of an asterisk", "OPTIONS * HTTP/1.1", [HOST]],
  ["another host in the target", "GET http://evil.example/contact/ HTTP/1.1", [HOST]],
  ["another port in the target", "GET http://site.example:1/contact/ HTTP/1.1", [HOST]],
  ["a target without a slash", "GET pricing HTTP/1.1", [HOST]],
  ["two hosts", "GET / HTTP/1.1", [HOST, "Host: evil.example"]],
  ["the same host twice", "GET / HTTP/1.1", [HOST, HOST]],
  ["no host", "GET / HTTP/1.1", []],
  ["an empty host", "GET / HTTP/1.1", ["Host:"]],
  ["a host that is none", "GET / HTTP/1.1", ["Host: a b/c"]],
])("%s is answered with 400", async (_, line, headers) => {
  expect(await ask(line, ...headers)).toMatch(/^HTTP\/1\.1 400 /);
});

test.each(["TRACE", "PROPFIND", "MKCOL", "LINK"])(
  "%s is answered with 405, and with what the path takes",
  async (method) => {
    for (const [path, allowed] of [
      ["/", "GET, HEAD"],
      ["/api/health", "GET, HEAD"],
      ["/api/sms/training-application?a=1", "POST"],
    ]) {
      const answer = await ask(`${method} ${path} HTTP/1.1`, HOST);
      server?.close();
      expect(answer).toMatch(/^HTTP\/1\.1 405 /);
      expect(answer).toMatch(new RegExp(`^allow: ${allowed}\r$`, "im"));
    }
  },
);
