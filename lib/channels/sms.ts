/** SMS to the owner, through Twilio. The only file that knows Twilio. */
import twilio from "twilio";
import type Response from "twilio/lib/http/response.js";
import type { MessageChannel, SendOutcome } from "#lib/channels/channel.ts";
import { retryAfter } from "#lib/channels/retry-after.ts";
import { smsText } from "#lib/channels/sms-text.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import type { SmsConfig } from "#lib/config.ts";
import { log } from "#lib/log.ts";

const REQUEST_TIMEOUT_MS = 10_000;
/** How long Twilio may keep a message in its queue. Afterwards it says so, and we can send anew. */
const VALIDITY_PERIOD_S = 900;

/**
 * Twilio's error codes that another try does not change, each with its meaning as in
 * https://www.twilio.com/docs/api/errors/<code>. Any other refusal is judged by its HTTP status.
 */
const REFUSALS: Record<number, string> = {
  10001: "the account is not active",
  20003: "the account SID or the auth token is wrong",
  20403: "the account may not do this",
  20404: "the account SID is unknown",
  21211: "SMS_TO is not a valid number",
  21212: "TWILIO_FROM is not a valid number",
  21408: "SMS to the country of SMS_TO is not enabled",
  21606: "TWILIO_FROM cannot send SMS to SMS_TO",
  21608: "a trial account sends only to verified numbers",
  21610: "the owner's phone has unsubscribed with STOP",
  21612: "there is no route from the sender to SMS_TO",
  21614: "SMS_TO is not a mobile number",
  21617: "the message is too long",
  21703: "the messaging service has no sender",
  21705: "the messaging service SID is unknown",
  30002: "the account is suspended",
};
const TOO_MANY_REQUESTS = 20429;

/** An answer of Twilio's that is no success: figures only, so that it can be shown and logged. */
class TwilioFault extends Error {
  override name = "TwilioFault";
  readonly status: number;
  readonly code: number | undefined;
  readonly notBefore: number | undefined;
  constructor(status: number, code: number | undefined, notBefore: number | undefined) {
    super(`HTTP ${status}`);
    this.status = status;
    this.code = code;
    this.notBefore = notBefore;
  }
}

/**
 * One request for the SDK. It has our time limit, our signal and our base address, follows no redirect
 * with our credentials, and turns a refusal into figures before the SDK makes an error object of it that
 * would carry the message and the Authorization header.
 */
class OneRequest extends twilio.RequestClient {
  readonly #apiUrl: string | undefined;
  readonly #signal: AbortSignal;
  readonly #now: Clock;
  constructor(apiUrl: string | undefined, signal: AbortSignal, now: Clock) {
    super();
    this.#apiUrl = apiUrl;
    this.#signal = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
    this.#now = now;
  }

  override async request<TData>(options: {
    method: string;
    uri: string;
    username?: string;
    password?: string;
    data?: TData;
  }): Promise<Response<TData>> {
    const url = new URL(options.uri);
    const login = Buffer.from(`${options.username}:${options.password}`).toString("base64");
    const answer = await fetch(new URL(url.pathname + url.search, this.#apiUrl ?? url), {
      method: options.method.toUpperCase(),
      headers: { accept: "application/json", authorization: `Basic ${login}` },
      body: formOf(options.data),
      redirect: "manual",
      signal: this.#signal,
    });
    const text = await answer.text();
    if (!answer.ok) {
      const notBefore = retryAfter(answer.headers.get("retry-after"), this.#now());
      throw new TwilioFault(answer.status, codeIn(text), notBefore);
    }
    return { statusCode: answer.status, body: JSON.parse(text), headers: {} };
  }
}

function formOf(fields: unknown): URLSearchParams {
  const given = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

/** Twilio's error code in a refusal: `{ "code": 21211, … }`. */
function codeIn(body: string): number | undefined {
  const match = /"code"\s*:\s*(\d{5})\b/.exec(body);
  return match ? Number(match[1]) : undefined;
}

function outcomeOf(error: unknown): SendOutcome {
  if (!(error instanceof TwilioFault)) return maybeSent(error);
  if (error.status >= 500 || error.status === 408) return maybeSent(error);
  const { status, code, notBefore } = error;
  if (status === 429 || code === TOO_MANY_REQUESTS) {
    const fault = "Twilio takes no more for now (429)";
    return { outcome: "retry", error: fault, ...(notBefore === undefined ? {} : { notBefore }) };
  }
  const meaning = code === undefined ? undefined : REFUSALS[code];
  const figures = `HTTP ${status}${code === undefined ? "" : `, code ${code}`}`;
  return { outcome: "refused", error: `Twilio refuses: ${meaning ?? "see its code"} (${figures})` };
}

/**
 * No answer, a 5xx or one that cannot be read: the message may be out or not. Creating a message is not
 * idempotent at Twilio, so this is the one place where it would be asked for before sending again.
 */
function maybeSent(error: unknown): SendOutcome {
  const what =
    error instanceof TwilioFault
      ? `HTTP ${error.status}`
      : error instanceof SyntaxError
        ? "an answer that is not JSON"
        : "no answer";
  return { outcome: "retry", error: `Twilio gave ${what}, the message may have been sent` };
}

/**
 * The SMS channel. With several owner's numbers, one that took the message makes it delivered: the
 * application has reached the owner, the row knows one delivery and not one per number, and another try
 * would text again those that already have it. What the others refused is logged.
 */
export function openSmsChannel(config: SmsConfig, now: Clock = systemClock): MessageChannel {
  async function sendTo(to: string, body: string, signal: AbortSignal): Promise<SendOutcome> {
    // A client per message: the SDK has no other way to hand a signal down to the request.
    const client = twilio(config.accountSid, config.authToken, {
      httpClient: new OneRequest(config.apiUrl, signal, now),
    });
    try {
      const message = await client.messages.create({
        to,
        body,
        validityPeriod: VALIDITY_PERIOD_S,
        ...config.sender,
      });
      const taken: unknown = message.sid;
      return typeof taken === "string"
        ? { outcome: "delivered", providerId: taken }
        : maybeSent(new SyntaxError("an answer without a sid"));
    } catch (error) {
      return outcomeOf(error);
    }
  }

  return {
    async send(stored, signal) {
      const body = smsText(stored);
      const outcomes = await Promise.all(config.to.map((to) => sendTo(to, body, signal)));
      const taken = outcomes.filter((result) => result.outcome === "delivered");
      if (taken.length === 0) return worstOf(outcomes);
      outcomes.forEach((result, index) => {
        if (result.outcome === "delivered") return;
        const { applicationId } = stored;
        log.warn(
          { applicationId, number: index + 1, error: result.error },
          "one of the numbers in SMS_TO did not get this application, another did",
        );
      });
      return { outcome: "delivered", providerId: taken.map((result) => result.providerId).join() };
    },
    async close() {},
  };
}

/** None took it: while one of them may still, it is worth another try. */
function worstOf(outcomes: SendOutcome[]): SendOutcome {
  return (
    outcomes.find((result) => result.outcome === "retry") ??
    outcomes[0] ?? { outcome: "refused", error: "SMS_TO names nobody" }
  );
}
