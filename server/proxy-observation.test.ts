import { expect, test, vi } from "vitest";
import { HOUR } from "#lib/application/durations.ts";
import { createLimits } from "#lib/intake/limits.ts";
import { processGlobals } from "#lib/process-globals.ts";
import type { ProxyCheck } from "#lib/proxy-check.ts";
import { withClientAddress } from "#server/client-address.ts";
import { ProxyObservation } from "#server/proxy-observation.ts";
import { serveHandler } from "#testing/site/http-server.ts";

type Headers = Record<string, string>;
const VISITORS = Array.from({ length: 14 }, (_, index) => `203.0.113.${index + 1}`);
const forwardedChains = (chainOf: (visitor: string, index: number) => string): Headers[] =>
  VISITORS.map((visitor, index) => ({ "x-forwarded-for": chainOf(visitor, index) }));
const EDGE = "66.241.124.7";
const VARYING = forwardedChains((v, i) => `${v}, ${"10.0.0.9, ".repeat(i % 2)}${EDGE}`);
const FORWARDED = VISITORS.map((visitor) => ({ forwarded: `for=${visitor}` }));
const namedByCdn = (
  chainOf: (visitor: string) => string,
  named?: string,
  header = "cf-connecting-ip",
): Headers[] =>
  VISITORS.map((visitor) => ({
    "x-forwarded-for": chainOf(visitor),
    [header]: named ?? visitor,
  }));
const BARE: Headers[] = VISITORS.map(() => ({}));
const FORGED = forwardedChains((_, index) => `198.51.100.${index}, 203.0.113.7`);

interface SiteState {
  earlier?: ProxyCheck;
  isPublicSite?: boolean;
  path?: string;
}

/** Sends an application with each of the headers to a site that trusts `hops` proxies. */
async function sendApplications(
  hops: number,
  requests: readonly Headers[],
  { earlier, isPublicSite = false, path = "/api/sms/training-application" }: SiteState = {},
) {
  const checks: ProxyCheck[] = [];
  const limits = createLimits({
    addressRequestsPerMinute: 120,
    addressApplicationsPer10Minutes: 10,
    totalApplicationsPerMinute: 60,
  });
  const observation = new ProxyObservation(hops, {
    earlier,
    isPublicSite,
    onChange: (check) => checks.push(check),
  });
  const handler = withClientAddress(
    async (_, response) => {
      const { ok, flooding } = limits.countApplication(processGlobals.clientAddress?.getStore());
      response.end(ok ? (flooding ? "marked" : "taken") : "refused");
    },
    hops,
    observation,
  );
  const port = await serveHandler(handler);
  const answers: string[] = [];
  for (const headers of requests) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    answers.push(await answer.text());
  }
  delete processGlobals.clientAddress;
  return { checks, answers };
}

test.for<[what: string, hops: number, requests: Headers[], seen: number]>([
  ["one for Fly's client and edge", 1, forwardedChains((visitor) => `${visitor}, ${EDGE}`), 2],
  ["one for a chain whose length varies", 1, VARYING, 2],
  ["none behind a proxy", 0, forwardedChains((visitor) => visitor), 1],
  ["none behind a proxy that writes ports", 0, forwardedChains((visitor) => `${visitor}:5123`), 1],
  ["two behind one proxy", 2, forwardedChains((visitor) => visitor), 1],
  ["three behind one proxy, by IPv6", 3, forwardedChains((_, i) => `[2001:db8:0:${i}::1]:443`), 1],
  ["one behind a private balancer", 1, forwardedChains((v) => `${v}, 10.0.0.1`), 2],
  ["one where the proxy writes unknown", 1, forwardedChains((visitor) => `${visitor}, unknown`), 2],
  ["one where the proxy behind a CDN hides the visitor", 1, namedByCdn(() => EDGE), 1],
  ["one where the proxy only writes Forwarded", 1, FORWARDED, 0],
])("a wrong TRUSTED_PROXY_HOPS limits no visitor: %s", async ([, hops, requests, seen]) => {
  const { checks, answers } = await sendApplications(hops, requests);
  expect(answers).toEqual(VISITORS.map(() => "taken"));
  expect(checks).toEqual([{ configured: hops, seen, fits: false }]);
});

test("ten requests without X-Forwarded-For prove that a proxy forwards no address", async () => {
  expect((await sendApplications(1, BARE.slice(0, 9))).checks).toEqual([]);
  const { checks } = await sendApplications(1, BARE.slice(0, 10));
  expect(checks).toEqual([{ configured: 1, seen: 0, fits: false }]);
  for (const path of ["/api/health", "/api/status"])
    expect((await sendApplications(1, BARE, { path })).checks).toEqual([]);
});

const FITTING = { "x-forwarded-for": "203.0.113.99" };
test.for<[what: string, requests: Headers[], state?: SiteState]>([
  ["a visitor's request fitted before", [FITTING, ...FORGED]],
  ["the site restarted", FORGED, { earlier: { configured: 1, seen: 1, fits: true } }],
])("forged addresses do not evade the limits: %s", async ([, requests, state]) => {
  const { checks, answers } = await sendApplications(1, requests, state);
  expect(answers.slice(-4)).toEqual(["refused", "refused", "refused", "refused"]);
  expect(checks.filter(({ fits }) => !fits)).toEqual([]);
});

test("limits apply again once a request fits TRUSTED_PROXY_HOPS", async () => {
  const { checks, answers } = await sendApplications(1, [...FORGED, FITTING, ...FORGED]);
  expect(checks.map(({ fits }) => fits)).toEqual([false, true]);
  expect(answers.at(-1)).toBe("refused");
});

test("limits end once most senders contradict TRUSTED_PROXY_HOPS", async () => {
  const fitting = { "x-forwarded-for": "203.0.113.99, 10.0.0.1" };
  const { checks } = await sendApplications(2, [fitting, ...forwardedChains((visitor) => visitor)]);
  expect(checks.map(({ fits }) => fits)).toEqual([true, false]);
});

test.for<[what: string, requests: Headers[], isConfirmed?: boolean]>([
  ["nginx appends what Cloudflare names", forwardedChains((v) => `${v}, ${v}`)],
  ...["cf-connecting-ip", "true-client-ip", "fly-client-ip"].map(
    (header): [what: string, requests: Headers[], isConfirmed: boolean] => [
      `${header} confirms the address`,
      namedByCdn((visitor) => `198.51.100.1, ${visitor}`, undefined, header),
      true,
    ],
  ),
  ["visitors name a CDN that the site does not use", namedByCdn((v) => v, "198.51.100.1")],
  ["visitors have proxies of their own", forwardedChains((visitor) => `10.0.0.7, ${visitor}`)],
  [
    "visitors have proxies, and one forges headers",
    [FITTING, ...forwardedChains((visitor) => `10.0.0.7, ${visitor}`), ...FORGED.slice(0, 3)],
    true,
  ],
  ["three requests contradict it", [{}, ...forwardedChains((_, i) => `10.0.0.${i + 1}`).slice(12)]],
])(
  "a correct TRUSTED_PROXY_HOPS is never reported as wrong: %s",
  async ([, requests, isConfirmed]) => {
    const { checks, answers } = await sendApplications(1, requests);
    expect(checks).toEqual(isConfirmed ? [{ configured: 1, seen: 1, fits: true }] : []);
    expect(answers).toEqual(requests.map(() => "taken"));
  },
);

test("a private address has only the total limits on a public site", async () => {
  const { checks, answers } = await sendApplications(0, BARE, { isPublicSite: true });
  expect(answers).toEqual(VISITORS.map(() => "taken"));
  expect(checks).toEqual([{ configured: 0, seen: 0, fits: false }]);
  // Docker replaces the address of each IPv6 visitor by the address of its gateway.
  const gateway = [FITTING, ...forwardedChains(() => "172.18.0.1")];
  const mixed = await sendApplications(1, gateway, { isPublicSite: true });
  expect(mixed.answers).toEqual(gateway.map(() => "taken"));
  expect(mixed.checks).toEqual([{ configured: 1, seen: 1, fits: true }]);
});

test("700 addresses that contradict TRUSTED_PROXY_HOPS do not outweigh 70 that fit", () => {
  const checks: ProxyCheck[] = [];
  const onChange = (check: ProxyCheck) => checks.push(check);
  const observation = new ProxyObservation(1, { isPublicSite: true, onChange });
  const observe = (source: string, visitor: string | undefined) =>
    observation.observe({ chainLength: 1, visitor, source, namedByCdn: undefined, claim: source });
  const visit = () => {
    for (let index = 0; index < 70; index += 1) observe(`visitor ${index}`, `203.0.113.${index}`);
  };
  visit();
  const flood = () => {
    for (let index = 0; index < 700; index += 1) observe(`flood ${index}`, undefined);
  };
  flood();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 20 * HOUR });
  visit();
  vi.setSystemTime(Date.now() + 20 * HOUR);
  flood();
  expect(checks).toEqual([{ configured: 1, seen: 1, fits: true }]);
  // The proxies may have changed since yesterday.
  vi.setSystemTime(Date.now() + 25 * HOUR);
  flood();
  expect(checks.slice(1)).toEqual([{ configured: 1, seen: 1, fits: false }]);
});

test.each([
  ["unknown", true],
  ["0:0:0:0::/64", true],
  ["172.18.0.1", true],
  ["203.0.113.1", false],
])("the address %s counts as shared by many visitors: %s", (sender, isShared) => {
  const options = { isPublicSite: true, onChange: () => undefined };
  expect(new ProxyObservation(1, options).isShared(sender)).toBe(isShared);
});

test("a request from this machine without proxy headers is no sign of a proxy", async () => {
  const { checks, answers } = await sendApplications(0, BARE);
  expect(checks).toEqual([]);
  expect(answers.at(-1)).toBe("refused");
});
