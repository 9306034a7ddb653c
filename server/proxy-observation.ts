/**
 * Compares TRUSTED_PROXY_HOPS with the requests that arrive. With a wrong number many visitors count as one sender.
 *
 * Evidence counts once for each address that a request surely came from, so that a sender who forges X-Forwarded-For
 * has one voice. Requests that fit outweigh three times as many that do not.
 */
import { BlockList } from "node:net";
import type { ProxyCheck } from "#lib/proxy-check.ts";

/** The parts of a request that proxies write. Unreadable addresses are undefined. */
export interface ProxyTrace {
  /** The number of entries in X-Forwarded-For. */
  chainLength: number;
  /** The address that TRUSTED_PROXY_HOPS points at. */
  visitor: string | undefined;
  /** An address that the sender cannot forge: the last entry behind a proxy, otherwise the socket's. */
  source: string;
  /** The address that a CDN names in a header of its own. */
  namedByCdn: string | undefined;
  /** Everything that was forwarded, as it was sent. */
  claim: string;
}

/** Evidence older than a day may be of another proxy. */
const EVIDENCE_MS = 24 * 60 * 60 * 1_000;
const MOST_SOURCES = 200;
const FITS_OUTWEIGH = 3;
/** A single forwarded request may be somebody's test. */
const DISTINCT_CLAIMS = 3;
/** A few requests without a public address may be a monitor's in the same network. */
const SHORT_REQUESTS = 10;

const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  PRIVATE.addSubnet(net, prefix, "ipv4");
for (const [net, prefix] of [
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  PRIVATE.addSubnet(net, prefix, "ipv6");

/** No visitor of the internet has such an address. */
function isPrivate(address: string): boolean {
  // The network of ::1; of an IPv6 address nothing more is known.
  if (address === "unknown" || address === "0:0:0:0::/64") return true;
  const network = address.replace(/\/64$/, "");
  return PRIVATE.check(network, network.includes(":") ? "ipv6" : "ipv4");
}

export class ProxyObservation {
  readonly #hops: number;
  readonly #onChange: (check: ProxyCheck) => void;
  /** The time at which each source was seen last. */
  readonly #fitting = new Map<string, number>();
  readonly #misfitting = new Map<string, number>();
  readonly #claims = new Set<string>();
  readonly #claimsByVisitor = new Map<string, Set<string>>();
  /** One address stood for several forwarded ones. */
  #isShared = false;
  #shortRequests = 0;
  #seen = Number.POSITIVE_INFINITY;
  #state: "unknown" | "fits" | "misfits";

  /** `earlier`: the check of the process before. `onChange` is called when the result is another. */
  constructor(
    hops: number,
    {
      earlier,
      onChange,
    }: { earlier?: ProxyCheck | undefined; onChange: (check: ProxyCheck) => void },
  ) {
    this.#hops = hops;
    this.#onChange = onChange;
    this.#state = earlier?.fits ? "fits" : "unknown";
    if (earlier?.fits) this.#fitting.set("the process before", Date.now());
  }

  /** The number is wrong: what counts as one sender may be many visitors. */
  get isMisfit(): boolean {
    return this.#state === "misfits";
  }

  observe({ chainLength, visitor, source, namedByCdn, claim }: ProxyTrace): void {
    if (this.#fitting.has(source)) {
      remember(this.#fitting, source);
      return;
    }
    const isConfirmed = namedByCdn === visitor;
    const isPublic = visitor !== undefined && !isPrivate(visitor);
    const isContradicted = namedByCdn !== undefined && !isConfirmed;
    if (isPublic && !isContradicted && (isConfirmed || chainLength === this.#hops)) {
      remember(this.#fitting, source);
      if (this.#state !== "fits") this.#conclude();
      return;
    }
    // A request without a proxy, where none is configured, came from this machine or its network.
    if (claim === "" && this.#hops === 0) return;
    this.#seen = Math.min(this.#seen, chainLength);
    if (isPublic && chainLength >= this.#hops) this.#addClaim(visitor, claim);
    else {
      remember(this.#misfitting, source);
      this.#shortRequests += 1;
      if (claim !== "" && this.#claims.size < DISTINCT_CLAIMS) this.#claims.add(claim);
    }
    if (this.#state !== "misfits") this.#conclude();
  }

  /** A longer chain is common, for visitors have proxies too. It is a fault where several share one address. */
  #addClaim(visitor: string, claim: string): void {
    const claims = this.#claimsByVisitor.get(visitor) ?? new Set();
    if (claims.size < DISTINCT_CLAIMS) claims.add(claim);
    this.#claimsByVisitor.delete(visitor);
    this.#claimsByVisitor.set(visitor, claims);
    const [oldest = ""] = this.#claimsByVisitor.keys();
    if (this.#claimsByVisitor.size > MOST_SOURCES) this.#claimsByVisitor.delete(oldest);
    if (claims.size < DISTINCT_CLAIMS) return;
    remember(this.#misfitting, visitor);
    this.#isShared = true;
  }

  #conclude(): void {
    const isProven =
      this.#isShared ||
      this.#claims.size >= DISTINCT_CLAIMS ||
      this.#shortRequests >= SHORT_REQUESTS;
    const fitting = countRecent(this.#fitting);
    const isMisfit = isProven && countRecent(this.#misfitting) > FITS_OUTWEIGH * fitting;
    const state = isMisfit ? "misfits" : fitting > 0 ? "fits" : "unknown";
    if (state === this.#state) return;
    this.#state = state;
    if (state === "unknown") return;
    const seen = Number.isFinite(this.#seen) ? this.#seen : this.#hops;
    this.#onChange({ configured: this.#hops, seen, fits: state === "fits" });
  }
}

function remember(sources: Map<string, number>, source: string): void {
  sources.delete(source);
  sources.set(source, Date.now());
  const [oldest = ""] = sources.keys();
  if (sources.size > MOST_SOURCES) sources.delete(oldest);
}

function countRecent(sources: Map<string, number>): number {
  for (const [source, at] of sources) if (Date.now() - at > EVIDENCE_MS) sources.delete(source);
  return sources.size;
}
