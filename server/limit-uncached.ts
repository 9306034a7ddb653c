import { setTimeout as pause } from "node:timers/promises";
import { tooManyRequestsText } from "#lib/content/error-pages.ts";
import type { Limits } from "#lib/intake/limits.ts";
import type { RequestHandler } from "#server/request-handler.ts";

/** A 429 is sent after this time, which slows down a client that sends one request after the other. */
const REFUSAL_DELAY_MS = 1_000;

/**
 * Limits per address how many responses are made outside the page cache: rendered pages, health and status. A flood of
 * them would use up the processor and the memory. The 429 names the inquiry phone number.
 */
export function limitUncached(
  handler: RequestHandler,
  limits: Pick<Limits, "countUncachedRequest">,
  inquiryPhone: string,
): RequestHandler {
  return async (request, response, address) => {
    const { ok, retryAfterSeconds } = limits.countUncachedRequest(address);
    if (ok) return handler(request, response, address);
    await pause(REFUSAL_DELAY_MS);
    response.writeHead(429, {
      "retry-after": String(retryAfterSeconds),
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
    });
    response.end(tooManyRequestsText(inquiryPhone));
  };
}
