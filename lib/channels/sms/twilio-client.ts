/**
 * Twilio's own client with an HTTP client of ours, which sets the limit, aborts, follows no redirect with our login, and
 * decides what may be logged. Twilio's types promise more than its API: nearly every field may be null there, see
 * https://github.com/twilio/twilio-oai. A page of the list with an entry that is no object makes the client throw.
 */
import twilio from "twilio";
import type RequestClient from "twilio/lib/base/RequestClient.js";
import { z } from "zod";
import { SECOND } from "#lib/application/durations.ts";
import { cleanProviderText } from "#lib/channels/provider-text.ts";
import type { SmsConfig } from "#lib/config.ts";

const TWILIO_ORIGIN = "https://api.twilio.com";
/** Default of Twilio's own client. A shorter limit would cause duplicate messages. */
const REQUEST_LIMIT = 30 * SECOND;
/**
 * Limit of a response: a page of a thousand long texts is smaller, and an endless response must not fill the memory.
 */
const RESPONSE_BYTES = 20_000_000;

/** An unusable response, as `HTTP 400, code 21211: …`, without phone numbers and without our own words. */
export class TwilioError extends Error {
  override name = "TwilioError";
  readonly status: number;
  readonly code: number | undefined;
  readonly notBefore: number | undefined;

  constructor(status: number, code?: number, words = "", notBefore?: number) {
    super(`HTTP ${status}${code === undefined ? "" : `, code ${code}`}${words && `: ${words}`}`);
    this.status = status;
    this.code = code;
    this.notBefore = notBefore;
  }
}

/** Its methods throw a TwilioError, or what the network, the signal or Twilio's own parsing throws. */
export function openTwilio(
  { accountSid, authToken, apiUrl = TWILIO_ORIGIN }: SmsConfig,
  signal: AbortSignal,
  now = Date.now,
) {
  const httpClient = new HttpClient(apiUrl, signal, now);
  return twilio(accountSid, authToken, { httpClient });
}

class HttpClient extends twilio.RequestClient {
  readonly #origin: string;
  readonly #now: () => number;

  constructor(origin: string, signal: AbortSignal, now: () => number) {
    super({ keepAlive: false });
    this.#origin = origin;
    this.#now = now;
    this.axios.defaults.signal = signal;
    this.axios.defaults.maxContentLength = RESPONSE_BYTES;
  }

  override async request<Data>(options: RequestClient.RequestOptions<Data>) {
    const { pathname, search } = new URL(options.uri);
    const response = await super.request<Data>({
      ...options,
      // The link to the next page may name any host: only its path is used, so that the login goes to Twilio alone.
      uri: new URL(pathname + search, this.#origin).href,
      timeout: REQUEST_LIMIT,
      // Overrides TWILIO_LOG_LEVEL, which could print numbers and texts.
      logLevel: "none",
    });
    const { statusCode, body, headers } = response;
    if (statusCode < 300 && typeof body === "object" && body !== null) return response;
    // A 2xx that cannot be read is not quoted, because it may hold personal data.
    if (statusCode < 300) throw new TwilioError(statusCode);
    const { code, message } = REFUSAL.parse(body);
    const words = cleanProviderText(message ?? "", Object.values(options.data ?? {}).join(" "));
    const notBefore = parseRetryAfter(headers["retry-after"], this.#now());
    throw new TwilioError(statusCode, code || undefined, words, notBefore);
  }
}

/** Node's request has finished once the operating system has all of its bytes. */
const UNSENT = z.object({ request: z.object({ writableFinished: z.literal(false) }) });

/** True for an error before all of the request had left: no connection, or an unfinished TLS handshake. */
export const isUnsent = (error: unknown) => UNSENT.safeParse(error).success;

/** `{ "code": 21211, "message": "…" }` */
const REFUSAL = z.object({ code: z.number().nullish(), message: z.string().nullish() }).catch({});

/** A `Retry-After` header, seconds or a date → its time, ms since the epoch. A longer number fits no database. */
function parseRetryAfter(header = "", now: number): number | undefined {
  if (/^\s*\d{1,9}\s*$/.test(header)) return now + Number(header) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : date;
}
