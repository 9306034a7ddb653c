import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "#server/request-handler.ts";

const HOST = /^[\w.-]+(:\d*)?$|^\[[\da-f:.]+\](:\d*)?$/i;

/**
 * Answers 400 to a request for another host, or for something that is not a path. Health checks of load balancers use
 * HTTP/1.0 without the Host header, or send it empty (RFC 9112, 3.2).
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
  // The absolute form is meant for proxies, but a server has to accept it too (RFC 9112, 3.2.2).
  const [, named, path = "/"] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (named?.toLowerCase() !== host.toLowerCase()) return undefined;
  return path.startsWith("/") ? path : `/${path}`;
}
