import type { IncomingMessage } from "node:http";
import type { RequestListener } from "#server/request-handler.ts";

const HOST_HEADER_PATTERN = /^[\w.-]+(:\d*)?$|^\[[\da-f:.]+\](:\d*)?$/i;

/**
 * Answers 400 if the Host header is repeated, unreadable or contradicts the request's address, or if there is no path.
 * `siteHost` replaces a missing or empty Host header, as in the HTTP/1.0 health checks of load balancers.
 */
export function rejectMalformedRequests(
  handler: RequestListener,
  siteHost: string,
): RequestListener {
  return async (request, response) => {
    const { host = "" } = request.headers;
    const isReadable = hasAtMostOneHost(request) && (host === "" || HOST_HEADER_PATTERN.test(host));
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

/** Node keeps the first of several Host headers. `headersDistinct` has all, but copies every header of the request. */
function hasAtMostOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  return hosts <= 1;
}

function targetPath({ url = "" }: IncomingMessage, host: string): string | undefined {
  if (url.startsWith("/")) return url;
  // An absolute address is meant for proxies, but a server has to accept it too (RFC 9112, 3.2.2).
  const [, named, path = "/"] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(url) ?? [];
  if (named?.toLowerCase() !== host.toLowerCase()) return undefined;
  return path.startsWith("/") ? path : `/${path}`;
}
