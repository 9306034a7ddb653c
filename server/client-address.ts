/** Who is asking: the address of the connection, or the one that trusted proxies name; no client's own word. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import { isIPv4, isIPv6 } from "node:net";
import { processGlobals } from "#lib/process-globals.ts";
import type { RequestHandler } from "#server/request-handler.ts";

/** How many of the eight groups of an IPv6 address name the line; the rest is the customer's to choose. */
const IPV6_NETWORK_GROUPS = 4;

/**
 * Runs a handler with the client's address in reach of Next's route handlers, which get a Request
 * without a socket. It travels in the asynchronous context and not in a header, so that no client can
 * forge it, whatever server is in front. `tellOfProxy` is called with the first request that came through a
 * proxy where none is trusted: all of its visitors count as one sender.
 */
export function withClientAddress(
  handler: RequestHandler,
  trustedHops: number,
  tellOfProxy?: () => void,
): RequestHandler {
  const addresses = new AsyncLocalStorage<string>();
  processGlobals.clientAddress = addresses;
  let isTold = trustedHops > 0;
  return (request, response) => {
    if (!isTold && request.headers["x-forwarded-for"] !== undefined) {
      isTold = true;
      tellOfProxy?.();
    }
    return addresses.run(clientAddress(request, trustedHops), () => handler(request, response));
  };
}

/**
 * The address of the socket, or the one that the outermost trusted proxy saw: each proxy adds the
 * address of its own client at the end of X-Forwarded-For, so that with n proxies the nth from the end
 * is true and everything before it is what the client claims. A request that did not come through all
 * of them, or an entry that is no address, is known by its socket.
 */
function clientAddress(request: IncomingMessage, trustedHops: number): string {
  const claimed = [request.headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const seen = trustedHops > 0 ? addressIn(claimed.at(-trustedHops) ?? "") : undefined;
  return senderNetwork(seen ?? addressIn(request.socket.remoteAddress ?? "") ?? "unknown");
}

/** An address as proxies write it, some with a port: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim();
  const [, bare] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? [];
  const address = (bare ?? text).replace(/%.*$/, "");
  return isIPv4(address) || isIPv6(address) ? address : undefined;
}

/** What counts as one sender: an IPv4 address, also as sockets for both kinds write it, or an IPv6 /64. */
export function senderNetwork(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, "");
  if (!isIPv6(plain)) return plain;
  // The URL parser writes every form of an address in the same one.
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [left = [], right = []] = canonical
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
  return `${groups.slice(0, IPV6_NETWORK_GROUPS).join(":")}::/64`;
}
