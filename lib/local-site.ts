import { BlockList, isIP } from "node:net";

/** Addresses that only this machine or its own network can open. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
] as const)
  PRIVATE.addSubnet(network, prefix);
PRIVATE.addAddress("0.0.0.0");
PRIVATE.addAddress("::1", "ipv6");
PRIVATE.addSubnet("fc00::", 7, "ipv6");
PRIVATE.addSubnet("fe80::", 10, "ipv6");

/** A site at such an address is tried out: no visitor from outside can open it. */
export function isLocalSite(siteUrl: string): boolean {
  const hostname = new URL(siteUrl).hostname.replace(/^\[|\]$/g, "");
  const family = isIP(hostname);
  if (family !== 0) return PRIVATE.check(hostname, family === 6 ? "ipv6" : "ipv4");
  return /^localhost$|\.(local|localhost|internal)$/.test(hostname);
}
