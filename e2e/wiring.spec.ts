/** What server/start.ts and server/main.ts put together, each part of which has unit tests of its own. */
import { once } from "node:events";
import { get } from "node:http";
import { eventually } from "#testing/eventually.ts";
import { Site } from "#testing/site.ts";
import { inDatabase } from "#testing/site-with-peers.ts";
import { expect, test } from "#testing/test.ts";

const PER_MINUTE = 3;

test.describe.configure({ mode: "serial" });
let site: Site;
test.beforeAll(async () => {
  site = await Site.start({ ADDRESS_REQUESTS_PER_MINUTE: `${PER_MINUTE}` });
});
test.afterAll(() => site.stop());

test("a line break in what a client sends makes no line of the log", async () => {
  const forged = encodeURIComponent('/\n{"msg":"forged"}\n');
  const { port } = new URL(site.url);
  for (const path of [`/_next/image/${forged}`, `/contact/result?${forged}`, `/api/${forged}`]) {
    // From another address of this machine: the limits of the first are the next test's.
    const asked = get({ host: "127.0.0.1", port, path, localAddress: "127.0.0.9" });
    const [answer] = await once(asked, "response");
    answer.resume();
  }
  for (const line of site.log.trim().split("\n")) {
    expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), time: expect.any(String) });
    expect(JSON.parse(line).msg).not.toBe("forged");
  }
});

test("pages that Next makes for one address are limited, and each refusal takes a second", async () => {
  const statuses: number[] = [];
  for (let index = 0; index < PER_MINUTE; index++) {
    statuses.push((await fetch(`${site.url}/contact/result?${index}`)).status);
  }
  const askedAt = performance.now();
  const refusal = await fetch(`${site.url}/contact/result`);
  expect([...statuses, refusal.status]).toEqual([200, 200, 200, 429]);
  expect(await refusal.text()).toMatch(/잠시 뒤 다시.*010-/);
  expect(Number(refusal.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(performance.now() - askedAt).toBeGreaterThan(950);
  expect((await fetch(site.url)).status).toBe(200);
});

test("a proxy that nobody told of is named once in the log, and noted for the doctor", async () => {
  const headers = { "x-forwarded-for": "192.0.2.7" };
  for (let times = 0; times < 3; times++) await fetch(site.url, { headers });
  const noted = () => inDatabase(site, "SELECT count(*) FROM notes WHERE name = 'forwarded-for'");
  await eventually(() => Number(noted())).toBe(1);
  expect(site.log.match(/TRUSTED_PROXY_HOPS is 0/g)).toHaveLength(1);
});
