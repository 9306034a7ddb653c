/**
 * Answers some routes without Next, whose route handling would take twice as long as all other work for an application.
 * The route files in app/api call the same functions, for development and Next's own server.
 */
import type { IncomingMessage } from "node:http";
import { ReadableStream as WebStream } from "node:stream/web";
import { POST_PATHS } from "#lib/application/fields.ts";
import { healthResponse, statusResponse } from "#lib/delivery/health.ts";
import { receiveApplication } from "#lib/intake/receive.ts";
import type { RequestHandler } from "#server/request-handler.ts";

const RESPONDERS: Record<string, (request: Request) => Promise<Response>> = {
  "GET /api/health": healthResponse,
  "HEAD /api/health": healthResponse,
  "GET /api/status": statusResponse,
  "HEAD /api/status": statusResponse,
  [`POST ${POST_PATHS.dialog}`]: (request) => receiveApplication(request, "dialog"),
  [`POST ${POST_PATHS.contact}`]: (request) => receiveApplication(request, "contact"),
};

export function withDirectRoutes(next: RequestHandler, responders = RESPONDERS): RequestHandler {
  return async (request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const respond = responders[`${request.method} ${path}`];
    if (respond === undefined) return next(request, response);
    const result = await respond(toWebRequest(request));
    const body = Buffer.from(await result.arrayBuffer());
    await discardRest(request);
    response.writeHead(result.status, {
      ...Object.fromEntries(result.headers),
      "content-length": body.length,
    });
    response.end(body);
  };
}

const DISCARDED_BYTES = 1_048_576;
const DISCARD_MS = 2_000;

/**
 * Reads the rest of a refused body, within limits. A response before the end of the body would reset the connection.
 * The browser would then show its own error page instead of the refusal.
 */
async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  let discarded = 0;
  const timer = setTimeout(resolve, DISCARD_MS);
  request.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > DISCARDED_BYTES) resolve();
  });
  request.once("end", resolve).once("close", resolve).resume();
  await promise;
  clearTimeout(timer);
  request.pause();
}

function toWebRequest(request: IncomingMessage): Request {
  // Node joins repeated headers. Only Set-Cookie, which no handler reads, remains a list.
  const headers = new Headers(request.headers as Record<string, string>);
  // A Request needs an address, which no handler reads.
  const address = "http://localhost/";
  if (request.method !== "POST") return new Request(address, { headers });
  // `destroyOnReturn: false` keeps the connection open for the response when a handler stops reading early.
  const body = WebStream.from(request.iterator({ destroyOnReturn: false })) as ReadableStream;
  const streamingPost = { method: "POST", headers, body, duplex: "half" };
  return new Request(address, streamingPost);
}
