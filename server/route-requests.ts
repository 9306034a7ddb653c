import type { IncomingMessage } from "node:http";
import { CachedResponse } from "#server/cached-response.ts";
import type { RequestHandler } from "#server/request-handler.ts";

/**
 * Returns what answers a request, or undefined to leave it to the next route. `path` is decoded and without the query.
 * A path that cannot be decoded is empty.
 */
export type RequestRoute = (
  path: string,
  request: IncomingMessage,
) => CachedResponse | RequestHandler | undefined;

/** `last` answers a request that no route answers. `headers` are sent with every response. */
export function createRoutesHandler(
  routes: readonly RequestRoute[],
  last: RequestHandler,
  headers: Record<string, string>,
): RequestHandler {
  const allHeaders = new Map(Object.entries(headers));
  return async (request, response, address) => {
    const found = findResponder(routes, request) ?? last;
    if (found instanceof CachedResponse) return found.send(request, response, headers);
    response.setHeaders(allHeaders);
    return found(request, response, address);
  };
}

function findResponder(
  routes: readonly RequestRoute[],
  request: IncomingMessage,
): ReturnType<RequestRoute> {
  const path = decodedPath(request);
  for (const route of routes) {
    const found = route(path, request);
    if (found) return found;
  }
  return undefined;
}

function decodedPath({ url = "" }: IncomingMessage): string {
  const [path = ""] = url.split("?", 1);
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}
