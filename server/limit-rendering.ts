/**
 * What Next makes for one request is limited by address: a flood of it would take processor and memory from
 * those who apply. Pages, files, pictures and health are made once and have no such limit.
 */
import { setTimeout as pause } from "node:timers/promises";
import { busyPage } from "#lib/content/not-found.ts";
import type { Limits } from "#lib/intake/limits.ts";
import { processGlobals } from "#lib/process-globals.ts";
import type { RequestHandler } from "#server/request-handler.ts";

/** A flooding client waits this long for each refusal: only then comes the next request of its connection. */
const REFUSED_AFTER_MS = 1_000;

/** Answers 429 with the phone where an address is over its limit. */
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
