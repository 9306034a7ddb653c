import type { IncomingMessage } from "node:http";
import { isIP, isIPv6 } from "node:net";
import type { CdnMismatch } from "#lib/settings-findings.ts";
import { isPrivateAddress } from "#lib/site-address.ts";
import type { RequestHandler, RequestListener } from "#server/request-handler.ts";

/** Only the first four groups tell visitors apart: a provider assigns no more, and its customer chooses the rest. */
const IPV6_NETWORK_GROUPS = 4;
const CDN_HEADERS = ["cf-connecting-ip", "true-client-ip", "fly-client-ip"];

/** Finds the visitor's address for the handler. `onMismatch` is called once, if a CDN names another address. */
export function withClientAddress(
  handler: RequestHandler,
  publicProxies: number,
  onMismatch: (mismatch: CdnMismatch) => void = () => undefined,
): RequestListener {
  let isReported = false;
  return (request, response) => {
    const chain = publicChain(request);
    const address = chain[publicProxies];
    const header = CDN_HEADERS.find((name) => request.headers[name] !== undefined);
    if (header !== undefined && !isReported) {
      const named = parseVisitorAddress(String(request.headers[header]));
      isReported = named !== undefined && named !== address;
      if (isReported) onMismatch({ header, publicProxies, needed: chain.indexOf(named) });
    }
    return handler(request, response, address);
  };
}

/**
 * Lists the public addresses of a request, the nearest first: `9.9.9.9, 1.2.3.4, 10.0.0.2` over a socket of 10.0.0.3
 * gives `1.2.3.4`, `9.9.9.9`. Each proxy appends its client to X-Forwarded-For, and our own proxies have private
 * addresses. So the first address of the result is true, and a client may have forged the others.
 */
function publicChain({ headers, socket }: IncomingMessage): (string | undefined)[] {
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",");
  const entries = forwarded.split(",").filter((entry) => entry.trim() !== "");
  const chain = [...entries, socket.remoteAddress].map(parseAddress).reverse();
  const start = chain.findIndex((address) => address === undefined || !isPrivateAddress(address));
  return start < 0 ? [] : chain.slice(start).map(toVisitorAddress);
}

/** The visitor's address; undefined for text that is no address, and for a private address, which many may share. */
export const parseVisitorAddress = (entry: string | undefined) =>
  toVisitorAddress(parseAddress(entry));

function toVisitorAddress(address: string | undefined): string | undefined {
  if (address === undefined || isPrivateAddress(address)) return undefined;
  return isIPv6(address) ? networkOf(address) : address;
}

/** Parses an address as proxies write it, some with a port: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
function parseAddress(entry = ""): string | undefined {
  const text = entry.trim();
  const [, bare] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? [];
  const address = (bare ?? text).replace(/%.*$/, "").replace(/^::ffff:(?=[\d.]+$)/i, "");
  return isIP(address) === 0 ? undefined : address;
}

/** The first four groups of an IPv6 address, as one /64. */
function networkOf(address: string): string {
  // The URL parser normalises every spelling of an IPv6 address.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = [], right = []] = canonical
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
  return `${groups.slice(0, IPV6_NETWORK_GROUPS).join(":")}::/64`;
}
