/**
 * Routes that are answered without Next. For an application, Next's own handling of routes would take twice as long as
 * all other work.
 */
import type { IncomingMessage } from "node:http";
import { FORM_NAMES, POST_PATHS } from "#lib/application/fields.ts";
import { wrongMethodHtml } from "#lib/content/error-pages.ts";
import { createHealthChecks, type HealthDeps } from "#lib/delivery/health.ts";
import { type IntakeDeps, receiveApplication } from "#lib/intake/receive.ts";
import { CachedResponse } from "#server/cached-response.ts";
import type { RequestHandler } from "#server/request-handler.ts";
import type { RequestRoute } from "#server/route-requests.ts";

/** `POST /api/sms/training-application` and `POST /api/mail/training-application`. */
export function formRoute(deps: Omit<IntakeDeps, "address">): RequestRoute {
  const handlers = new Map<string, RequestHandler>(
    FORM_NAMES.map((form) => {
      const receive = (request: IncomingMessage, address?: string) =>
        receiveApplication(request, form, { ...deps, address });
      return [POST_PATHS[form], createDirectHandler(receive)];
    }),
  );
  return (path, { method }) => {
    const handler = handlers.get(path);
    return handler && method !== "POST" ? ONLY_POST : handler;
  };
}

/** Answers all methods but GET and HEAD. HAProxy's default check sends OPTIONS, and drops a server for a 405. */
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
  respond: (request: IncomingMessage, address?: string) => Promise<Response>,
): RequestHandler {
  return async (request, response, address) => {
    const result = await respond(request, address);
    const body = Buffer.from(await result.arrayBuffer());
    response.writeHead(result.status, {
      ...Object.fromEntries(result.headers),
      "content-length": body.length,
    });
    response.end(body);
  };
}
