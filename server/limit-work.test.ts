import { expect, test } from "vitest";
import { openLimits } from "#lib/intake/limits.ts";
import { withClientAddress } from "#server/client-address.ts";
import { limitWork } from "#server/limit-work.ts";
import { serve } from "#testing/http-server.ts";

test("an address that asks Next for too much is told so in a sentence, with the phone and the time to wait; others are not", async () => {
  const limits = openLimits({
    addressRequestsPerMinute: 3,
    addressApplicationsPer10Minutes: 1,
    totalApplicationsPerMinute: 1,
  });
  const handler = limitWork(async (_, response) => void response.end(), limits, "010-0000-0000");
  const port = await serve(withClientAddress(handler, 1));
  const get = (path: string, from = "192.0.2.1") =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-forwarded-for": from } });
  const flood = Array.from({ length: 6 }, (_, index) => get(`/?_rsc=${index}`));
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 200, 200, 429, 429, 429]);
  const askedAt = performance.now();
  const refusal = await get("/contact/result");
  // A connection that floods gets one refusal a second.
  expect(performance.now() - askedAt).toBeGreaterThan(950);
  expect(refusal.status).toBe(429);
  expect(Number(refusal.headers.get("retry-after"))).toBeLessThanOrEqual(60);
  expect(await refusal.text()).toMatch(/잠시 뒤 다시.*010-0000-0000/);
  expect((await get("/contact/result", "192.0.2.2")).status).toBe(200);
});
