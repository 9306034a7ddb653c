/** Tests how server/start.ts and server/main.ts connect the parts, each of which has unit tests. */
import { once } from "node:events";
import { get } from "node:http";
import { eventually } from "#testing/browser/eventually.ts";
import { asJson } from "#testing/browser/form.ts";
import { expect, withSite as test } from "#testing/browser/test.ts";
import { countStatuses, JSON_TYPE, mapConcurrently, post } from "#testing/site/client.ts";
import { Site } from "#testing/site/site.ts";
import { queryDatabase } from "#testing/site/site-with-peers.ts";

/** The limit is higher than the number of simultaneous requests. */
const PER_MINUTE = 50;
const indexes = Array.from({ length: 150 }, (_, index) => index);

test.describe.configure({ mode: "serial" });
/** An operator's default limits, behind a proxy. */
let limitedSite: Site;
test.beforeAll(async () => {
  limitedSite = await Site.start({
    TRUSTED_PROXY_HOPS: "1",
    ADDRESS_REQUESTS_PER_MINUTE: `${PER_MINUTE}`,
    ADDRESS_APPLICATIONS_PER_10_MINUTES: "",
    TOTAL_APPLICATIONS_PER_MINUTE: "",
  });
  // The proxy names the visitor in this header.
  await fetch(limitedSite.url, { headers: { "x-forwarded-for": "203.0.113.1" } });
});
test.afterAll(() => limitedSite.stop());

test("a line break in a request begins no new line of the log", async () => {
  const forged = encodeURIComponent('/\n{"msg":"forged"}\n');
  const { port } = new URL(limitedSite.url);
  for (const path of [`/_next/image/${forged}`, `/contact/result?${forged}`, `/api/${forged}`]) {
    // The requests come from another address of this machine: the next test needs the limits of the first.
    const asked = get({ host: "127.0.0.1", port, path, localAddress: "127.0.0.9" });
    const [answer] = await once(asked, "response");
    answer.resume();
  }
  for (const line of limitedSite.log.trim().split("\n")) {
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), time: expect.any(String) });
    expect(JSON.parse(line).msg).not.toBe("forged");
  }
});

test("requests for pages that Next renders are limited per address", async () => {
  const ask = async (index: number) =>
    (await fetch(`${limitedSite.url}/contact/result?${index}`)).status;
  const statuses = await mapConcurrently(indexes.slice(0, PER_MINUTE), 10, ask);
  const askedAt = performance.now();
  const refusal = await fetch(`${limitedSite.url}/contact/result`);
  expect(countStatuses([...statuses, refusal.status])).toEqual({ 200: PER_MINUTE, 429: 1 });
  expect(await refusal.text()).toMatch(/잠시 뒤 다시.*010-/);
  expect(refusal.headers.get("cache-control")).toBe("no-store");
  expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(performance.now() - askedAt).toBeGreaterThan(950);
  expect((await fetch(limitedSite.url)).status).toBe(200);
});

test("a flood from one address is limited with 429", async () => {
  // The client claims the first address; the proxy saw the second.
  const from = (index: number, address: string) => {
    const forged = `${index >> 8}.${index & 255}.7.7`;
    return post(limitedSite, index % 2 ? "sms" : "mail", asJson({ name: `홍수여주${index}` }), {
      ...JSON_TYPE,
      "x-forwarded-for": `${forged}, ${address}`,
      "x-real-ip": forged,
      forwarded: `for=${forged}`,
    });
  };
  // All addresses of an IPv6 /64 count as one sender.
  const answers = await mapConcurrently(indexes, 40, (index) =>
    from(index, `2001:db8:1:2::${index}`),
  );
  // The limit per 10 minutes allows exactly ten; the limit per minute may be renewed during the test.
  expect(countStatuses(answers.map(({ status }) => status))).toEqual({ 200: 10, 429: 140 });
  for (const { status, headers } of answers)
    if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  for (const [index, other] of ["203.0.113.9", "2001:db8:1:3::1"].entries())
    expect((await from(150 + index, other)).status).toBe(200);
});

test("a wrong number of proxies is reported to the log and the doctor", async ({ site }) => {
  for (const visitor of [7, 8, 9, 10]) {
    await fetch(site.url, { headers: { "x-forwarded-for": `192.0.2.${visitor}` } });
  }
  const noted = () => queryDatabase(site, "SELECT value FROM notes WHERE name = 'proxy'");
  await eventually(noted).toBe('{"configured":0,"seen":1,"fits":false}');
  expect(site.log.match(/TRUSTED_PROXY_HOPS does not fit/g)).toHaveLength(1);
});
