/**
 * Compares TRUSTED_PROXY_HOPS with the requests, because a wrong number makes many visitors look like one sender. Each
 * source, an address that its sender cannot forge, is counted once, whatever its headers say. The setting counts as
 * wrong only if more than three times as many sources contradict the setting as fit it.
 */
import { isPrivateAddress } from "#lib/local-site.ts";
import type { ProxyCheck } from "#lib/proxy-check.ts";

export interface ProxyTrace {
  /** Number of entries in X-Forwarded-For. */
  chainLength: number;
  /** The visitor's address according to TRUSTED_PROXY_HOPS. */
  visitor: string | undefined;
  /** An address that the sender cannot forge: behind a proxy the last entry of X-Forwarded-For, else the socket's. */
  source: string;
  /** The address in a header of a CDN, such as cf-connecting-ip. */
  namedByCdn: string | undefined;
  /** All forwarding headers of the request as one string. */
  claim: string;
}

/** Older requests are forgotten, because the proxies may have changed. */
const OBSERVED_MS = 24 * 60 * 60 * 1_000;
const MOST_SOURCES = 200;
const MISFITS_PER_FIT = 3;
/** Number of different claims that prove the setting wrong. Two may come from somebody's test with forged headers. */
const DISTINCT_CLAIMS = 3;
/** Number of contradicting requests that prove the setting wrong. Fewer may come from a monitor in the same network. */
const PROVING_MISFITS = 10;

/** `0:0:0:0::/64` is the network of ::1. */
const isPrivate = (sender: string) =>
  sender === "unknown" ||
  sender === "0:0:0:0::/64" ||
  isPrivateAddress(sender.replace(/\/64$/, ""));

interface ObservationOptions {
  /** The result that the previous process stored. */
  earlier?: ProxyCheck | undefined;
  isPublicSite: boolean;
  onChange: (check: ProxyCheck) => void;
}

export class ProxyObservation {
  readonly #hops: number;
  readonly #isPublicSite: boolean;
  readonly #onChange: (check: ProxyCheck) => void;
  /** Values of `source` whose requests fit TRUSTED_PROXY_HOPS, each with the time of its last request. */
  readonly #fitting = new Map<string, number>();
  readonly #misfitting = new Map<string, number>();
  /** Claims by the visitor's public address. The key "" has the claims of all other contradicting requests. */
  readonly #claims = new Map<string, Set<string>>();
  #misfitCount = 0;
  #isProven = false;
  #seen = Number.POSITIVE_INFINITY;
  #state: "unknown" | "fits" | "misfits";

  constructor(hops: number, { earlier, isPublicSite, onChange }: ObservationOptions) {
    this.#hops = hops;
    this.#isPublicSite = isPublicSite;
    this.#onChange = onChange;
    this.#state = earlier?.fits ? "fits" : "unknown";
    if (earlier?.fits) this.#fitting.set("the process before", Date.now());
  }

  /** True if a sender may be many visitors, because TRUSTED_PROXY_HOPS is wrong or the address is a gateway's. */
  isShared(sender: string): boolean {
    return this.#state === "misfits" || (this.#isPublicSite && isPrivate(sender));
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
    // A request without proxy headers comes from this machine or its network. On a public site, however, many such
    // requests come through a proxy that writes no header.
    if (claim === "" && this.#hops === 0 && !this.#isPublicSite) return;
    this.#seen = Math.min(this.#seen, chainLength);
    // A visitor may use proxies too, so one longer X-Forwarded-For proves nothing. Several different headers with the
    // same visitor address prove that TRUSTED_PROXY_HOPS is wrong.
    const isLonger = isPublic && chainLength >= this.#hops;
    const claimant = isLonger ? visitor : "";
    const claims = this.#claims.get(claimant) ?? new Set();
    if (claim !== "" && claims.size < DISTINCT_CLAIMS) claims.add(claim);
    setNewest(this.#claims, claimant, claims);
    if (!isLonger) this.#misfitCount += 1;
    const isShared = claims.size >= DISTINCT_CLAIMS;
    if (isShared || this.#misfitCount >= PROVING_MISFITS) this.#isProven = true;
    if (!isLonger || isShared) remember(this.#misfitting, isLonger ? visitor : source);
    if (this.#state !== "misfits") this.#conclude();
  }

  #conclude(): void {
    const fitting = countRecent(this.#fitting);
    const isMisfit = this.#isProven && countRecent(this.#misfitting) > MISFITS_PER_FIT * fitting;
    const state = isMisfit ? "misfits" : fitting > 0 ? "fits" : "unknown";
    if (state === this.#state) return;
    this.#state = state;
    if (state === "unknown") return;
    const seen = Number.isFinite(this.#seen) ? this.#seen : this.#hops;
    this.#onChange({ configured: this.#hops, seen, fits: state === "fits" });
  }
}

function remember(sources: Map<string, number>, source: string): void {
  setNewest(sources, source, Date.now());
}

/** Moves an entry to the end of the map, and deletes the oldest entry of more than MOST_SOURCES. */
function setNewest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest = ""] = map.keys();
  if (map.size > MOST_SOURCES) map.delete(oldest);
}

function countRecent(sources: Map<string, number>): number {
  for (const [source, at] of sources) if (Date.now() - at > OBSERVED_MS) sources.delete(source);
  return sources.size;
}
