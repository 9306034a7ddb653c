import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { requestLocally } from "#lib/request-locally.ts";
import { contentPolicy } from "#server/content-policy.ts";
import { listen } from "#server/http.ts";
import type { RequestHandler } from "#server/request-handler.ts";

/** Limit for a page that never ends: a page needs a tenth of a second, on a busy machine some seconds. */
const RESPONSE_TIMEOUT_MS = 30_000;

/** Next would put the title at the end of the page for a request without a user agent. */
const USER_AGENT = "Mozilla/5.0";

/** Requests a path from the handler. @throws if the handler throws, closes the connection or does not respond */
export async function renderWithNext(
  handler: RequestHandler,
  path: string,
  headers: Record<string, string> = {},
) {
  const server = createServer((incoming, outgoing) => {
    handler(incoming, outgoing, undefined).catch((error: Error) => outgoing.destroy(error));
  });
  const port = await listen(server, 0, "127.0.0.1");
  try {
    return await requestLocally(`http://127.0.0.1:${port}${path}`, RESPONSE_TIMEOUT_MS, {
      "user-agent": USER_AGENT,
      "accept-encoding": "identity",
      ...headers,
    });
  } finally {
    server.close().closeAllConnections();
  }
}

const HEADERS_FOR_NEXT = ["host", "cookie", "user-agent", "accept", "accept-encoding"];

/** Lets Next render a page for one visitor. The policy has a nonce, which Next writes into the page's scripts. */
export function createVisitorRenderer(next: RequestHandler): RequestHandler {
  return async (request, response, address) => {
    const policy = contentPolicy([`'nonce-${randomBytes(16).toString("base64")}'`]);
    removeUnknownHeaders(request);
    // Next reads the nonce from this request header.
    request.headers["content-security-policy"] = policy;
    response.setHeader("content-security-policy", policy);
    await next(request, response, address);
  };
}

/** Keeps only the headers that Next needs: an invalid range or router state would make Next answer 500. */
function removeUnknownHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers))
    if (!HEADERS_FOR_NEXT.includes(name)) delete headers[name];
}
