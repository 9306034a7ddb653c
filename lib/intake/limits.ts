/**
 * Limits for one sender and for all senders together (docs/decisions/0004-limits-and-suspicion.md). Each process
 * counts its own requests, in memory.
 */
import { DAY, MINUTE } from "#lib/application/durations.ts";
import type { Config } from "#lib/config.ts";
import { WindowCounter, type WindowUsage } from "#lib/intake/window-counter.ts";
import { log } from "#lib/log.ts";

const EVERYBODY_KEY = "everybody";

export type LimitSettings = Pick<
  Config,
  "addressRequestsPerMinute" | "addressApplicationsPer10Minutes" | "totalApplicationsPerMinute"
>;

export interface Allowance {
  ok: boolean;
  /** Within the limits, but the address has sent so many applications that it looks automated. */
  isFlooding: boolean;
  /** Seconds until the next request can succeed; 0 if the current request is allowed. */
  retryAfterSeconds: number;
}

/** The sender's address; undefined for a private address, which many may share. */
type VisitorAddress = string | undefined;

export type Limits = ReturnType<typeof createLimits>;

/**
 * Requests are counted before they are handled, so that simultaneous requests count too. Without an address only the
 * total of applications is limited: otherwise all such requests would share the limit of one sender.
 */
export function createLimits(settings: LimitSettings) {
  const perMinute = settings.addressRequestsPerMinute;
  const applicationsPer10Minutes = settings.addressApplicationsPer10Minutes;
  const requests = new WindowCounter(MINUTE);
  const applications = new WindowCounter(10 * MINUTE);
  const lastDay = new WindowCounter(DAY);
  const total = new WindowCounter(MINUTE);
  const uncachedRequests = new WindowCounter(MINUTE);

  const countPerAddress = (windows: WindowCounter) => (address: VisitorAddress) =>
    address === undefined ? ALLOWED : toAllowance(windows.count(address), perMinute);

  return {
    countRequest: countPerAddress(requests),
    /** A limit of its own, so that reading pages does not limit applications. */
    countUncachedRequest: countPerAddress(uncachedRequests),

    countApplication(address: VisitorAddress): Allowance {
      const countTotal = () =>
        toAllowance(total.count(EVERYBODY_KEY), settings.totalApplicationsPerMinute);
      if (address === undefined) return countTotal();
      const own = applications.count(address);
      // A sender over its own limit does not use up the total limit.
      if (own.used > applicationsPer10Minutes) return toAllowance(own, applicationsPer10Minutes);
      const all = countTotal();
      if (!all.ok) {
        applications.uncount(address);
        return all;
      }
      const inLastDay = lastDay.count(address);
      const isFlooding =
        own.used > Math.ceil(applicationsPer10Minutes / 2) ||
        inLastDay.used > applicationsPer10Minutes;
      return { ...ALLOWED, isFlooding };
    },

    /** Called for a stored application, which counts as an application instead. */
    uncountRequest(address: VisitorAddress): void {
      if (address !== undefined) requests.uncount(address);
    },

    /** Called for an allowed application that was not stored. */
    uncountApplication(address: VisitorAddress): void {
      total.uncount(EVERYBODY_KEY);
      if (address === undefined) return;
      applications.uncount(address);
      lastDay.uncount(address);
    },
  };
}

const ALLOWED: Allowance = { ok: true, isFlooding: false, retryAfterSeconds: 0 };

/** The first request over a limit is logged, without the address, which is personal data. */
function toAllowance({ used, endsAt }: WindowUsage, limit: number): Allowance {
  if (used <= limit) return ALLOWED;
  const retryAfterSeconds = Math.max(1, Math.ceil((endsAt - performance.now()) / 1_000));
  if (used === limit + 1)
    log.warn({ limit, retryAfterSeconds }, "requests exceed a limit, answering 429");
  return { ok: false, isFlooding: false, retryAfterSeconds };
}
