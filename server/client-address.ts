import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import { isIP, isIPv6 } from "node:net";
import { processGlobals } from "#lib/process-globals.ts";
import type { ProxyObservation } from "#server/proxy-observation.ts";
import type { RequestHandler } from "#server/request-handler.ts";

/** An internet provider assigns at most four groups of an IPv6 address. The customer may fill the rest at will. */
const IPV6_NETWORK_GROUPS = 4;
const CDN_HEADERS = ["cf-connecting-ip", "true-client-ip", "fly-client-ip"];
/** Hosting platforms request these paths without their proxies. Such requests say nothing about TRUSTED_PROXY_HOPS. */
const PROBED = /^\/api\/(health|status)\b/;

/**
 * Puts the client's address into an AsyncLocalStorage: the Request of a route handler has no socket, and a client could
 * forge a header. An address that many visitors may share is left out, so that only the total limits apply to it.
 */
export function withClientAddress(
  handler: RequestHandler,
  trustedHops: number,
  observation?: ProxyObservation,
): RequestHandler {
  const addresses = new AsyncLocalStorage<string | undefined>();
  processGlobals.clientAddress = addresses;
  return (request, response) => {
    const { visitor, socket, ...trace } = readTrace(request, trustedHops);
    if (!PROBED.test(request.url ?? "")) observation?.observe({ ...trace, visitor });
    const sender = visitor ?? socket;
    const address = observation?.isShared(sender) ? undefined : sender;
    return addresses.run(address, () => handler(request, response));
  };
}

/**
 * Each proxy appends its client's address to X-Forwarded-For. With n trusted proxies, the nth entry from the end is
 * true. The client may have invented all entries before the nth.
 */
function readTrace({ headers, socket: { remoteAddress } }: IncomingMessage, trustedHops: number) {
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",");
  const chain = forwarded.split(",").filter((entry) => entry.trim() !== "");
  const socket = parseAddress(remoteAddress) ?? "unknown";
  const isBehindProxy = trustedHops > 0;
  const named = CDN_HEADERS.map((name) => headers[name]).find((value) => typeof value === "string");
  return {
    socket,
    chainLength: chain.length,
    visitor: isBehindProxy ? parseAddress(chain.at(-trustedHops)) : socket,
    source: (isBehindProxy && parseAddress(chain.at(-1))) || socket,
    namedByCdn: parseAddress(named),
    claim: [forwarded, named, headers.forwarded].filter((each) => each).join(),
  };
}

/** Parses an address as proxies write it, some with a port: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
function parseAddress(entry = ""): string | undefined {
  const text = entry.trim();
  const [, bare] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? [];
  const address = (bare ?? text).replace(/%.*$/, "");
  return isIP(address) === 0 ? undefined : normaliseAddress(address);
}

/** Returns an IPv4 address, also for `::ffff:192.0.2.1`, or the /64 network of an IPv6 address. */
export function normaliseAddress(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, "");
  if (!isIPv6(plain)) return plain;
  // The URL parser normalises every spelling of an IPv6 address.
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [left = [], right = []] = canonical
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
  return `${groups.slice(0, IPV6_NETWORK_GROUPS).join(":")}::/64`;
}
