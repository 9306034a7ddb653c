import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "#server/request-handler.ts";

const HOST = /^[\w.-]+(:\d*)?$|^\[[\da-f:.]+\](:\d*)?$/i;

/**
 * Answers 400 if the Host header is unreadable or contradicts the request's address, or if that address has no path.
 * `siteHost` replaces a missing or empty Host header, as in the HTTP/1.0 health checks of load balancers.
 */
export function rejectMalformedRequests(handler: RequestHandler, siteHost: string): RequestHandler {
  return async (request, response) => {
    const [host = "", ...others] = request.headersDistinct.host ?? [];
    const isReadable = others.length === 0 && (host === "" || HOST.test(host));
    const path = isReadable ? targetPath(request, host || siteHost) : undefined;
    if (path === undefined) {
      response.writeHead(400, { connection: "close" }).end();
      return;
    }
    request.url = path;
    request.headers.host = host || siteHost;
    await handler(request, response);
  };
}

function targetPath({ url = "" }: IncomingMessage, host: string): string | undefined {
  if (url.startsWith("/")) return url;
  // An absolute address is meant for proxies, but a server has to accept it too (RFC 9112, 3.2.2).
  const [, named, path = "/"] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (named?.toLowerCase() !== host.toLowerCase()) return undefined;
  return path.startsWith("/") ? path : `/${path}`;
}
