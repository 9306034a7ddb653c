/** Requests that no browser makes of a site, refused before a handler can stumble over them. */
import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "#server/request-handler.ts";

const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:.]+\](:\d+)?$/i;

/** Answers 400 to a target that is no path of this host. */
export function rejectMalformedRequests(handler: RequestHandler): RequestHandler {
  return async (request, response) => {
    const path = pathOf(request);
    if (path === undefined) {
      response.writeHead(400, { connection: "close" }).end();
      return;
    }
    request.url = path;
    await handler(request, response);
  };
}

/** The path with its query; undefined where the request names no host, two, another, or no path. */
function pathOf({ url = "", headersDistinct }: IncomingMessage): string | undefined {
  const [host = "", ...others] = headersDistinct.host ?? [];
  if (!HOST.test(host) || others.length > 0) return undefined;
  if (url.startsWith("/")) return url;
  // The absolute form is meant for proxies; a server has to take it too (RFC 9112, 3.2.2).
  const [, named, path = "/"] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (named?.toLowerCase() !== host.toLowerCase()) return undefined;
  return path.startsWith("/") ? path : `/${path}`;
}
