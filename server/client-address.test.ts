import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import type { CdnMismatch } from "#lib/settings-findings.ts";
import { parseVisitorAddress, withClientAddress } from "#server/client-address.ts";

type Headers = Record<string, string>;
const VISITOR = "203.0.113.7";
const EDGE = "162.158.1.1";
const LOOPBACK = "127.0.0.1";
const GATEWAY = "172.18.0.1";
const forwarded = (chain: string): Headers => ({ "x-forwarded-for": chain });
const named = (chain: string, header = "cf-connecting-ip"): Headers => ({
  ...forwarded(chain),
  [header]: VISITOR,
});

/** Returns the visitors' addresses that a site behind `publicProxies` finds, and the CDN mismatches that it reports. */
async function visitorOf(publicProxies: number, requests: readonly [string, Headers][]) {
  const seen: (string | undefined)[] = [];
  const mismatches: CdnMismatch[] = [];
  const handler = withClientAddress(
    async (_request, _response, visitor) => void seen.push(visitor),
    publicProxies,
    (mismatch) => mismatches.push(mismatch),
  );
  for (const [remoteAddress, headers] of requests) {
    const request = new IncomingMessage(Object.assign(new Socket(), {}));
    Object.defineProperty(request.socket, "remoteAddress", { value: remoteAddress });
    Object.assign(request.headers, headers);
    await handler(request, new ServerResponse(request));
  }
  return { seen, mismatches };
}

test.for<
  [chain: string, publicProxies: number, socket: string, headers: Headers, visitor?: string]
>([
  ["no proxy", 0, VISITOR, {}, VISITOR],
  ["a visitor who forges headers", 0, VISITOR, named("198.51.100.1", "x-real-ip"), VISITOR],
  ["Caddy or nginx on this host", 0, LOOPBACK, forwarded(VISITOR), VISITOR],
  ["Caddy in the compose network", 0, "::ffff:172.19.0.3", forwarded(VISITOR), VISITOR],
  ["nginx behind a private balancer", 0, LOOPBACK, forwarded(`${VISITOR}, 10.0.0.9`), VISITOR],
  [
    "a forged entry before the visitor",
    0,
    LOOPBACK,
    forwarded(`198.51.100.1, ${VISITOR}`),
    VISITOR,
  ],
  ["Docker's gateway for everybody", 0, GATEWAY, {}],
  ["Docker's gateway before Caddy", 0, "172.19.0.3", forwarded(GATEWAY)],
  ["a proxy that hides the visitor", 0, LOOPBACK, forwarded(`${VISITOR}, unknown`)],
  ["a proxy that writes empty entries", 0, LOOPBACK, forwarded(`${VISITOR}, ,`), VISITOR],
  ["a proxy that writes ports", 0, LOOPBACK, forwarded(`${VISITOR}:51234`), VISITOR],
  ["Cloudflare without the setting", 0, LOOPBACK, forwarded(`${VISITOR}, ${EDGE}`), EDGE],
  ["Cloudflare before Caddy", 1, LOOPBACK, forwarded(`${VISITOR}, ${EDGE}`), VISITOR],
  ["Cloudflare before this server", 1, EDGE, forwarded(`198.51.100.1, ${VISITOR}`), VISITOR],
  ["a request that avoids Cloudflare", 1, LOOPBACK, forwarded(VISITOR)],
  ["two public proxies", 2, LOOPBACK, forwarded(`${VISITOR}, ${EDGE}, 66.241.124.7`), VISITOR],
  ["an IPv6 visitor", 0, "2001:db8:1:2:3:4:5:6", {}, "2001:db8:1:2::/64"],
])(
  "the visitor's address behind $0 is read as $4 [29][78]",
  async ([, publicProxies, socket, headers, visitor]) => {
    const { seen, mismatches } = await visitorOf(publicProxies, [[socket, headers]]);
    expect(seen).toEqual([visitor]);
    expect(mismatches).toEqual([]);
  },
);

test.each([
  ["203.0.113.7:51234x", undefined],
  ["[2001:db8:1:2:3:4:5:6]:51234", "2001:db8:1:2::/64"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8::1%eth0", "2001:db8:0:0::/64"],
  ["2400::5:1:2:3:4", "2400:0:0:5::/64"],
  ["2001:0DB8:000a:b:ffff:ffff:ffff:ffff", "2001:db8:a:b::/64"],
  ["fe80::1%eth0", undefined],
  ["::ffff:10.0.0.7", undefined],
  [undefined, undefined],
])("the X-Forwarded-For entry %s gives the visitor's address %s", (entry, sender) =>
  expect(parseVisitorAddress(entry)).toBe(sender),
);

test.for<[what: string, publicProxies: number, chain: string, header: string, needed?: number]>([
  ["Cloudflare without the setting", 0, `${VISITOR}, ${EDGE}`, "cf-connecting-ip", 1],
  ["Fly without the setting", 0, `${VISITOR}, 66.241.124.7`, "fly-client-ip", 1],
  ["Cloudflare before a public platform", 1, `${VISITOR}, ${EDGE}, 8.8.8.8`, "true-client-ip", 2],
  ["a setting that is too high", 1, VISITOR, "cf-connecting-ip", 0],
  ["a proxy that drops the visitor's address", 1, EDGE, "cf-connecting-ip", -1],
  ["Cloudflare with the setting", 1, `${VISITOR}, ${EDGE}`, "cf-connecting-ip"],
  ["nginx that reads Cloudflare's header", 0, VISITOR, "cf-connecting-ip"],
])("a CDN is reported only if it names a different address: %s [78]", async ([, ...terms]) => {
  const [publicProxies, chain, header, needed] = terms;
  const request: [string, Headers] = [LOOPBACK, named(chain, header)];
  const { mismatches } = await visitorOf(publicProxies, [[LOOPBACK, {}], request, request]);
  expect(mismatches).toEqual(needed === undefined ? [] : [{ header, publicProxies, needed }]);
});
