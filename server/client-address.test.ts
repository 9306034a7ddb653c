import { once } from "node:events";
import { expect, test } from "vitest";
import { processGlobals } from "#lib/process-globals.ts";
import { withClientAddress } from "#server/client-address.ts";
import { serveHandler } from "#testing/site/http-server.ts";

const FORGED = { "x-forwarded-for": "198.51.100.1, 203.0.113.7", "x-real-ip": "198.51.100.2" };
const forwarded = (entry: string) => ({ "x-forwarded-for": entry });

test.for<[hops: number, headers: Record<string, string>, address: string]>([
  [0, FORGED, "127.0.0.1"],
  [0, { forwarded: "for=198.51.100.1", "x-client-address": "a" }, "127.0.0.1"],
  [1, FORGED, "203.0.113.7"],
  [2, FORGED, "198.51.100.1"],
  [3, FORGED, "127.0.0.1"],
  [1, {}, "127.0.0.1"],
  [1, forwarded("198.51.100.1, unknown"), "127.0.0.1"],
  [1, forwarded("203.0.113.7, ,"), "203.0.113.7"],
  [1, forwarded("203.0.113.7:51234"), "203.0.113.7"],
  [1, forwarded("x203.0.113.7:51234"), "127.0.0.1"],
  [1, forwarded("203.0.113.7:51234x"), "127.0.0.1"],
  [1, forwarded("[2001:db8:1:2:3:4:5:6]:51234"), "2001:db8:1:2::/64"],
  [1, forwarded("[2001:db8::1]"), "2001:db8:0:0::/64"],
  [1, forwarded("::ffff:203.0.113.7"), "203.0.113.7"],
  [1, forwarded("fe80::1%eth0"), "fe80:0:0:0::/64"],
  [1, forwarded("2400::5:1:2:3:4"), "2400:0:0:5::/64"],
  [1, forwarded("2001:0DB8:000a:b:ffff:ffff:ffff:ffff"), "2001:db8:a:b::/64"],
])("the client address behind %i proxies with %j is %s", async ([hops, headers, address]) => {
  const handler = withClientAddress(async (request, response) => {
    // A handler may ask for the address in a later task of the event loop.
    await once(request.resume(), "end");
    response.end(processGlobals.clientAddress?.getStore());
  }, hops);
  const answer = await fetch(`http://127.0.0.1:${await serveHandler(handler)}/`, { headers });
  expect(await answer.text()).toBe(address);
  delete processGlobals.clientAddress;
});
