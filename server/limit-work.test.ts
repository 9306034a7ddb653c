import type { Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { openLimits } from "#lib/intake/limits.ts";
import { withClientAddress } from "#server/client-address.ts";
import { createHttpServer, listen } from "#server/http.ts";
import { limitWork } from "#server/limit-work.ts";

const PER_MINUTE = 3;

let server: Server | undefined;
afterEach(() => {
  server?.close().closeAllConnections();
});

async function serve() {
  const limits = openLimits({
    addressRequestsPerMinute: PER_MINUTE,
    addressApplicationsPer10Minutes: 1,
    totalApplicationsPerMinute: 1,
  });
  let made = 0;
  const handler = limitWork(
    async (_request, response) => {
      made += 1;
      response.end("made");
    },
    limits,
    "010-0000-0000",
  );
  server = createHttpServer(withClientAddress(handler, 1), { dev: false });
  const port = await listen(server, 0, "127.0.0.1");
  const get = (path: string, from = "192.0.2.1") =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-forwarded-for": from } });
  return { get, made: () => made };
}

test("an address that asks Next for too much is told so in a sentence, with the phone and the time to wait; others are not", async () => {
  const { get, made } = await serve();
  const flood = Array.from({ length: 10 }, (_, index) => get(`/?_rsc=${index}`));
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 200, 200, 429, 429, 429, 429, 429, 429, 429]);
  expect(made()).toBe(PER_MINUTE);
  const askedAt = performance.now();
  const refusal = await get("/contact/result");
  // A connection that floods gets one refusal a second.
  expect(performance.now() - askedAt).toBeGreaterThan(950);
  expect(refusal.status).toBe(429);
  expect(Number(refusal.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect(await refusal.text()).toMatch(/잠시 뒤 다시.*010-0000-0000/);
  expect((await get("/contact/result", "192.0.2.2")).status).toBe(200);
});
