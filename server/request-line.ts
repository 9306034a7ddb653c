/** Requests that no browser makes of a site, refused before a handler can stumble over them. */
import type { IncomingMessage } from "node:http";
import { APPLICATION_ROUTES } from "#lib/intake/receive.ts";
import type { RequestHandler } from "#server/request-handler.ts";

/** What the pages and the handlers know; each handler refuses by itself what it does not take. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i;

/** Answers 405 to methods of other kinds, and 400 to a target that is no path of this host. */
export function refuseOddRequests(handler: RequestHandler): RequestHandler {
  return (request, response) => {
    const path = pathOf(request);
    if (path === undefined) {
      response.writeHead(400, { connection: "close" }).end();
      return Promise.resolve();
    }
    if (!METHODS.has(request.method ?? "")) {
      const [name = ""] = path.split("?", 1);
      const allow = name in APPLICATION_ROUTES ? "POST" : "GET, HEAD";
      response.writeHead(405, { allow, connection: "close" }).end();
      return Promise.resolve();
    }
    request.url = path;
    return handler(request, response);
  };
}

/** The path with its query; undefined where the request names no host, two, another, or no path. */
function pathOf({
  url = "",
  headers: { host = "" },
  rawHeaders,
}: IncomingMessage): string | undefined {
  if (!HOST.test(host) || namesHostTwice(rawHeaders)) return undefined;
  if (url.startsWith("/")) return url;
  // The absolute form is meant for proxies; a server has to take it too (RFC 9112, 3.2.2).
  const [, named, path = "/"] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (named?.toLowerCase() !== host.toLowerCase()) return undefined;
  return path.startsWith("/") ? path : `/${path}`;
}

/** Node keeps only the first, and does not report the second. */
function namesHostTwice(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}
