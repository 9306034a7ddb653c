import { BlockList, isIP } from "node:net";

/** Addresses of this machine, of private networks, and of carriers' and overlay networks (100.64.0.0/10). */
const PRIVATE_ADDRESSES = new BlockList();
for (const [network, prefix] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
] as const)
  PRIVATE_ADDRESSES.addSubnet(network, prefix);
PRIVATE_ADDRESSES.addAddress("0.0.0.0");
PRIVATE_ADDRESSES.addAddress("::1", "ipv6");
PRIVATE_ADDRESSES.addSubnet("fc00::", 7, "ipv6");
PRIVATE_ADDRESSES.addSubnet("fe80::", 10, "ipv6");

export function isPrivateAddress(address: string): boolean {
  return PRIVATE_ADDRESSES.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** True for an address that visitors from the internet cannot open. */
export function isLocalSite(siteUrl: string): boolean {
  const hostname = new URL(siteUrl).hostname.replace(/^\[|\]$/g, "");
  if (isIP(hostname) !== 0) return isPrivateAddress(hostname);
  return /^localhost$|\.(local|localhost|internal|flycast)$/.test(hostname);
}

/** The address at which this machine reaches the site. */
export function localSiteUrl({ hostname, port }: { hostname: string; port: number }): string {
  const here = hostname === "0.0.0.0" || hostname === "::" ? "127.0.0.1" : hostname;
  return `http://${here.includes(":") ? `[${here}]` : here}:${port}`;
}
