/**
 * Limits by address the pages that Next renders for one request: a flood of them would take processor time and memory
 * from other visitors. Cached pages, files, pictures and health have no such limit.
 */
import { setTimeout as pause } from "node:timers/promises";
import { busyPage } from "#lib/content/not-found.ts";
import type { Limits } from "#lib/intake/limits.ts";
import { processGlobals } from "#lib/process-globals.ts";
import type { RequestHandler } from "#server/request-handler.ts";

/** Delay of each refusal: the next request of the connection waits for it. */
const REFUSED_AFTER_MS = 1_000;

/** Answers 429 with the phone number to an address over its limit. */
export function limitRendering(
  next: RequestHandler,
  limits: Pick<Limits, "countPage">,
  inquiryPhone: string,
): RequestHandler {
  return async (request, response) => {
    const address = processGlobals.clientAddress?.getStore();
    const { ok, retryAfterSeconds } = limits.countPage(address);
    if (ok) return next(request, response);
    await pause(REFUSED_AFTER_MS);
    response.writeHead(429, {
      "retry-after": String(retryAfterSeconds),
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
    });
    response.end(busyPage(inquiryPhone));
  };
}
