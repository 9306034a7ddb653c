/**
 * How much one sender, and all together, may ask for. See docs/decisions/0004-limits-and-quarantine.md.
 * The counters are in memory, or in the PostgreSQL that several instances share.
 */
import { createHmac } from "node:crypto";
import { RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import { config } from "#lib/config.ts";
import { processGlobals } from "#lib/process-globals.ts";
import { openPool } from "#lib/storage/postgres/open.ts";

const MINUTE_S = 60;
const DAY_S = 24 * 60 * MINUTE_S;
/** The key of a counter that everybody shares. */
const EVERYBODY = "everybody";

export interface LimitSettings {
  addressRequestsPerMinute: number;
  addressApplicationsPer10Minutes: number;
  totalApplicationsPerMinute: number;
}

export interface Allowance {
  ok: boolean;
  /** So many came from this address that it looks automated. */
  flooding: boolean;
  /** When it is worth another try; 0 when it is allowed now. */
  retryAfterSeconds: number;
  /** The first refusal of its window: the one to log. */
  firstRefusal: boolean;
}

/**
 * Counts before the work is done, so that what comes at once is counted too; what turns out to be
 * something else is taken back. The address is undefined where the server does not tell it (plain
 * `next start`): then only the limit for all together holds, for one shared ration would let a single
 * sender shut everybody out.
 */
export interface Limits {
  countRequest(address: string | undefined): Promise<Allowance>;
  /** Counts an application that is about to be stored. */
  countApplication(address: string | undefined): Promise<Allowance>;
  /** The request was a new application: it counts as that alone. */
  takeBackRequest(address: string | undefined): Promise<void>;
  /** An application that was allowed was not stored. */
  takeBackApplication(address: string | undefined): Promise<void>;
}

/** The one set of counters of this process. */
export function sharedLimits(): Limits {
  const { limits, databaseUrl } = config();
  processGlobals.limits ??= openLimits(limits, databaseUrl ? inPostgres(databaseUrl) : inMemory);
  return processGlobals.limits;
}

export function openLimits(settings: LimitSettings, open: OpenLimiter = inMemory): Limits {
  const ration = settings.addressApplicationsPer10Minutes;
  const counter = (name: string, points: number, duration: number) =>
    counterOn(open({ keyPrefix: name, points, duration }), points);
  const requests = counter("requests", settings.addressRequestsPerMinute, MINUTE_S);
  const applications = counter("applications", ration, 10 * MINUTE_S);
  const today = counter("today", ration, DAY_S);
  const total = counter("total", settings.totalApplicationsPerMinute, MINUTE_S);

  return {
    async countRequest(address) {
      if (address === undefined) return ALLOWED;
      return verdict(await requests.add(address));
    },

    async countApplication(address) {
      const own = address === undefined ? undefined : await applications.add(address);
      // A sender over its own limit takes nothing from the others.
      if (own && own.used > own.limit) return verdict(own);
      const all = verdict(await total.add(EVERYBODY));
      if (address === undefined || own === undefined) return all;
      if (!all.ok) {
        await applications.remove(address);
        return all;
      }
      const ofToday = await today.add(address);
      const flooding = own.used > Math.ceil(ration / 2) || ofToday.used > ration;
      return { ...ALLOWED, flooding };
    },

    async takeBackRequest(address) {
      if (address !== undefined) await requests.remove(address);
    },

    async takeBackApplication(address) {
      await total.remove(EVERYBODY);
      if (address === undefined) return;
      await applications.remove(address);
      await today.remove(address);
    },
  };
}

interface Count {
  used: number;
  limit: number;
  /** Until the window ends and the count starts anew. */
  msLeft: number;
}

/** `points` in `duration` seconds for each key. */
interface Window {
  keyPrefix: string;
  points: number;
  duration: number;
}

interface Limiter {
  penalty(key: string): Promise<{ consumedPoints: number; msBeforeNext: number }>;
  reward(key: string): Promise<unknown>;
}

type OpenLimiter = (window: Window) => Limiter;

const inMemory: OpenLimiter = (window) => new RateLimiterMemory(window);

/** How long a request may wait for a counter; without one it is counted in memory. */
const COUNTER_MS = 500;

/**
 * Counts in PostgreSQL. Addresses lie there only as a keyed hash. A database that is out lets nobody wait
 * and refuses nobody: each instance counts by itself meanwhile.
 */
export function inPostgres(databaseUrl: string): OpenLimiter {
  const waits = { connectionTimeoutMillis: COUNTER_MS, query_timeout: COUNTER_MS };
  const storeClient = openPool(databaseUrl, { max: 4, ...waits });
  const hashed = (key: string) => createHmac("sha256", databaseUrl).update(key).digest("base64url");
  return (window) => {
    const limiter = new RateLimiterPostgres({
      ...window,
      storeClient,
      storeType: "pool",
      tableName: "rate_limits",
      tableCreated: true,
      insuranceLimiter: new RateLimiterMemory(window),
    });
    return {
      penalty: (key) => limiter.penalty(hashed(key)),
      reward: (key) => limiter.reward(hashed(key)),
    };
  };
}

/** Counts in windows that begin with the first of each key. */
function counterOn(limiter: Limiter, limit: number) {
  return {
    /** The library's `consume` would reject over the limit; this one says the figures either way. */
    async add(key: string): Promise<Count> {
      const { consumedPoints, msBeforeNext } = await limiter.penalty(key);
      return { used: consumedPoints, limit, msLeft: msBeforeNext };
    },
    async remove(key: string): Promise<void> {
      await limiter.reward(key);
    },
  };
}

const ALLOWED: Allowance = {
  ok: true,
  flooding: false,
  retryAfterSeconds: 0,
  firstRefusal: false,
};

function verdict({ used, limit, msLeft }: Count): Allowance {
  if (used <= limit) return ALLOWED;
  return {
    ok: false,
    flooding: true,
    retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1_000)),
    firstRefusal: used === limit + 1,
  };
}
