/** Nearly every field of Twilio's API may be null, unlike in its types: https://github.com/twilio/twilio-oai. */
import twilio from "twilio";
import type RequestClient from "twilio/lib/base/RequestClient.js";
import { z } from "zod";
import { SECOND } from "#lib/application/durations.ts";
import { redactProviderText } from "#lib/channels/provider-text.ts";
import type { SmsConfig } from "#lib/config.ts";

const TWILIO_ORIGIN = "https://api.twilio.com";
/** The default of Twilio's own client. A shorter limit would leave more messages in doubt. */
const REQUEST_TIMEOUT_MS = 30 * SECOND;
/** Limit of a response, larger than a page of a thousand long texts. */
const MAX_RESPONSE_BYTES = 20_000_000;

/**
 * An error response, or an unusable one. The error's message is `HTTP 400, code 21211: …`, without phone numbers and
 * without the words of the text message.
 */
export class TwilioError extends Error {
  readonly status: number;
  readonly code: number | undefined;
  readonly words: string;
  readonly notBefore: number | undefined;

  constructor(status: number, code?: number, words = "", notBefore?: number) {
    super(`HTTP ${status}${code === undefined ? "" : `, code ${code}`}${words && `: ${words}`}`);
    this.status = status;
    this.code = code;
    this.words = words;
    this.notBefore = notBefore;
  }
}

/** For a response that lacks what it must contain, so that nobody knows what became of the request. */
export const unusableResponseError = () => new TwilioError(200);

/** The client's methods throw a TwilioError, or the error of a lost connection, an abort or the package's parser. */
export function createTwilioClient(config: SmsConfig, signal: AbortSignal, now = Date.now) {
  const { accountSid, authToken, apiUrl = TWILIO_ORIGIN } = config;
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
    this.axios.defaults.maxContentLength = MAX_RESPONSE_BYTES;
  }

  override async request<Data>(options: RequestClient.RequestOptions<Data>) {
    const { pathname, search } = new URL(options.uri);
    const response = await super.request<Data>({
      ...options,
      // The link to the next page may name any host. Only its path is used, so that the login goes to Twilio alone.
      uri: Object.assign(new URL(this.#origin), { pathname, search }).href,
      timeout: REQUEST_TIMEOUT_MS,
    });
    const { statusCode, body, headers } = response;
    if (statusCode < 300 && typeof body === "object" && body !== null) return response;
    // The body of an invalid 2xx response is not quoted, because it may contain personal data.
    if (statusCode < 300) throw new TwilioError(statusCode);
    const { code, message } = ERROR_BODY_SCHEMA.parse(body);
    const words = redactProviderText(message ?? "", Object.values(options.data ?? {}).join(" "));
    const notBefore = retryTime(headers["retry-after"], this.#now());
    throw new TwilioError(statusCode, code || undefined, words, notBefore);
  }
}

const NOT_SENT_SCHEMA = z.object({ request: z.object({ writableFinished: z.literal(false) }) });
/** True if the operating system has not taken the whole request: no connection, or an unfinished TLS handshake. */
export const isNotSent = (error: unknown) => NOT_SENT_SCHEMA.safeParse(error).success;

const ERROR_BODY_SCHEMA = z
  .object({ code: z.number().nullish(), message: z.string().nullish() })
  .catch({});

/** `header` has seconds or a date. More than nine digits could exceed the database's range, and are ignored. */
function retryTime(header = "", now: number): number | undefined {
  if (/^\s*\d{1,9}\s*$/.test(header)) return now + Number(header) * SECOND;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : date;
}
