/**
 * Routes that are answered without Next, whose route handling would take twice as long as all other work for an
 * application.
 */
import type { IncomingMessage } from "node:http";
import { ReadableStream as WebStream } from "node:stream/web";
import { FORM_NAMES, POST_PATHS } from "#lib/application/fields.ts";
import { wrongMethodHtml } from "#lib/content/not-found.ts";
import { createHealthChecks, type HealthDeps } from "#lib/delivery/health.ts";
import { type IntakeDeps, receiveApplication } from "#lib/intake/receive.ts";
import { CachedResponse } from "#server/cached-response.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import type { RequestRoute } from "#server/routes.ts";

/** `POST /api/sms/training-application` and `POST /api/mail/training-application`. */
export function formRoute(deps: Omit<IntakeDeps, "address">): RequestRoute {
  const handlers = new Map<string, RequestHandler>(
    FORM_NAMES.map((form) => {
      const receive = (request: Request, address?: string) =>
        receiveApplication(request, form, { ...deps, address });
      return [POST_PATHS[form], createDirectHandler(receive)];
    }),
  );
  return (path, { method }) => {
    const handler = handlers.get(path);
    return handler && method !== "POST" ? ONLY_POST : handler;
  };
}

/** Any method but GET and HEAD. HAProxy's default check sends OPTIONS, and drops a server that answers 405. */
export const otherMethodRoute: RequestRoute = (_path, { method = "" }) => {
  if (method === "GET" || method === "HEAD") return undefined;
  return method === "OPTIONS" ? answerOptions : ONLY_GET;
};

/** `GET /api/health` and `GET /api/status`. */
export function healthRoute(
  deps: HealthDeps,
  limit: (handler: RequestHandler) => RequestHandler,
): RequestRoute {
  const { answerHealth, answerStatus } = createHealthChecks(deps);
  const handlers = new Map([
    ["/api/health", limit(createDirectHandler(answerHealth))],
    ["/api/status", limit(createDirectHandler(answerStatus))],
  ]);
  return (path) => handlers.get(path);
}

const ALLOW_READING = "GET, HEAD";
const answerOptions: RequestHandler = async (_request, response) =>
  void response.writeHead(204, { allow: ALLOW_READING }).end();

const [ONLY_POST, ONLY_GET] = ["POST", ALLOW_READING].map(
  (allow) =>
    new CachedResponse({
      status: 405,
      body: Buffer.from(wrongMethodHtml),
      headers: { allow, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    }),
);

/** Answers with what `respond` returns for the request. */
function createDirectHandler(
  respond: (request: Request, address?: string) => Promise<Response>,
): RequestHandler {
  return async (request, response, address) => {
    const result = await respond(toWebRequest(request), address);
    const body = Buffer.from(await result.arrayBuffer());
    await discardRest(request);
    response.writeHead(result.status, {
      ...Object.fromEntries(result.headers),
      "content-length": body.length,
    });
    response.end(body);
  };
}

const MOST_DISCARDED_BYTES = 1_048_576;
const DISCARD_LIMIT_MS = 2_000;

/**
 * Reads the rest of a refused body, within limits. A response before the end of the body would reset the connection.
 * The browser would then show its own error page instead of the refusal.
 */
async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  let discarded = 0;
  const timer = setTimeout(resolve, DISCARD_LIMIT_MS);
  request.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MOST_DISCARDED_BYTES) resolve();
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
