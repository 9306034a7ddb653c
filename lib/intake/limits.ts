/**
 * How much one sender, and all together, may ask for. See docs/decisions/0004-limits-and-quarantine.md.
 * The counters are in memory, or in the PostgreSQL that several instances share.
 */
import { type Count, inMemory, type OpenCounter } from "#lib/intake/windows.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A page may show a dozen pictures, each asked for by itself. */
const PICTURES_PER_REQUEST = 10;
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
 * Counts before the work is done, so that requests at the same moment are counted too; what turns out to be
 * something else is taken back. The address is undefined where the server does not tell it (plain
 * `next start`): then only the limit for all together holds, for one shared ration would let a single
 * sender shut everybody out.
 */
export interface Limits {
  countRequest(address: string | undefined): Promise<Allowance>;
  /** Counts an application that is about to be stored. */
  countApplication(address: string | undefined): Promise<Allowance>;
  /** The request was a new application: it counts only as an application. */
  takeBackRequest(address: string | undefined): Promise<void>;
  /** An application that was allowed was not stored. */
  takeBackApplication(address: string | undefined): Promise<void>;
  /**
   * Counts what is made for this one request: a page, or a picture in another size. It has counters of its own,
   * because who looks at pages may still apply. Each process counts alone, because it does the work alone.
   */
  countWork(work: "page" | "picture", address: string | undefined): Promise<Allowance>;
}

export function openLimits(settings: LimitSettings, open: OpenCounter = inMemory): Limits {
  const perMinute = settings.addressRequestsPerMinute;
  const ration = settings.addressApplicationsPer10Minutes;
  const requests = open({ name: "requests", ms: MINUTE_MS });
  const applications = open({ name: "applications", ms: 10 * MINUTE_MS });
  const today = open({ name: "today", ms: DAY_MS });
  const total = open({ name: "total", ms: MINUTE_MS });
  const pages = inMemory({ name: "pages", ms: MINUTE_MS });
  const pictures = inMemory({ name: "pictures", ms: MINUTE_MS });

  return {
    async countRequest(address) {
      if (address === undefined) return ALLOWED;
      return verdict(await requests.add(address), perMinute);
    },

    async countWork(work, address) {
      if (address === undefined) return ALLOWED;
      return work === "page"
        ? verdict(await pages.add(address), perMinute)
        : verdict(await pictures.add(address), perMinute * PICTURES_PER_REQUEST);
    },

    async countApplication(address) {
      const own = address === undefined ? undefined : await applications.add(address);
      // A sender over its own limit takes nothing from the others.
      if (own && own.used > ration) return verdict(own, ration);
      const all = verdict(await total.add(EVERYBODY), settings.totalApplicationsPerMinute);
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

const ALLOWED: Allowance = {
  ok: true,
  flooding: false,
  retryAfterSeconds: 0,
  firstRefusal: false,
};

function verdict({ used, msLeft }: Count, limit: number): Allowance {
  if (used <= limit) return ALLOWED;
  return {
    ok: false,
    flooding: true,
    retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1_000)),
    firstRefusal: used === limit + 1,
  };
}
