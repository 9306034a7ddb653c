import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { processGlobals } from "#lib/process-globals.ts";
import { lineOf, noticeProxy, withClientAddress } from "#server/client-address.ts";
import { listen } from "#server/http.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
  delete processGlobals.clientAddress;
});

/** The address that a handler learns from a real request with these headers. */
async function addressOf(trustedHops: number, headers: Record<string, string>): Promise<string> {
  const handler = withClientAddress(async (request, response) => {
    // After a turn of the event loop, as in a handler that has read the body.
    await once(request.resume(), "end");
    response.end(processGlobals.clientAddress?.getStore());
  }, trustedHops);
  const server = createServer((request, response) => void handler(request, response));
  servers.push(server);
  const port = await listen(server, 0, "127.0.0.1");
  return (await fetch(`http://127.0.0.1:${port}/`, { headers })).text();
}

describe("the address", () => {
  const forged = { "x-forwarded-for": "198.51.100.1, 203.0.113.7", "x-real-ip": "198.51.100.2" };
  test("is the socket's when no proxy is trusted, whatever the headers say", async () => {
    expect(await addressOf(0, forged)).toBe("127.0.0.1");
    expect(await addressOf(0, { forwarded: "for=198.51.100.1", "x-client-address": "a" })).toBe(
      "127.0.0.1",
    );
  });

  test("is the one that the trusted proxies saw, and never one further to the left", async () => {
    expect(await addressOf(1, forged)).toBe("203.0.113.7");
    expect(await addressOf(2, forged)).toBe("198.51.100.1");
  });

  test("is the socket's when the header has fewer entries than proxies, or no address", async () => {
    expect(await addressOf(3, forged)).toBe("127.0.0.1");
    expect(await addressOf(1, {})).toBe("127.0.0.1");
    expect(await addressOf(1, { "x-forwarded-for": "198.51.100.1, unknown" })).toBe("127.0.0.1");
  });

  test.each([
    ["203.0.113.7:51234", "203.0.113.7"],
    ["[2001:db8:1:2:3:4:5:6]:51234", "2001:db8:1:2::/64"],
    ["[2001:db8::1]", "2001:db8:0:0::/64"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
  ])("is understood as proxies write it: %s", async (entry, address) => {
    expect(await addressOf(1, { "x-forwarded-for": entry })).toBe(address);
  });
});

describe("one sender", () => {
  test.each([
    ["2001:db8:a:b::1", "2001:0DB8:000a:b:ffff:ffff:ffff:ffff"],
    ["fe80::1", "fe80::2:3"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::ffff:c000:201", "192.0.2.1"],
  ])("%s and %s are the same", (one, other) => expect(lineOf(one)).toBe(lineOf(other)));

  test.each([
    ["2001:db8:a:b::1", "2001:db8:a:c::1"],
    ["192.0.2.1", "192.0.2.2"],
    ["::ffff:192.0.2.1", "::ffff:192.0.2.2"],
  ])("%s and %s are two", (one, other) => expect(lineOf(one)).not.toBe(lineOf(other)));
});

test("a proxy that nobody told of is told once, with the first request that it sends on", async () => {
  let told = 0;
  const handler = noticeProxy(
    async (_request, response) => void response.end(),
    () => {
      told += 1;
    },
  );
  const server = createServer((request, response) => void handler(request, response));
  servers.push(server);
  const port = await listen(server, 0, "127.0.0.1");
  const ask = (headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/`, { headers });
  await ask();
  expect(told).toBe(0);
  for (let times = 0; times < 3; times++) await ask({ "x-forwarded-for": "203.0.113.7" });
  expect(told).toBe(1);
});
