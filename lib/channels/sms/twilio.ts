/** SMS to the owner, through Twilio. The only file that knows Twilio. */
import twilio from "twilio";
import type Response from "twilio/lib/http/response.js";
import { formatApplicationId } from "#lib/application/application-id.ts";
import type { MessageChannel, OwnerMessage, SendOutcome } from "#lib/channels/channel.ts";
import { retryAfter } from "#lib/channels/retry-after.ts";
import { refusalOf, TOO_MANY_REQUESTS } from "#lib/channels/sms/error-codes.ts";
import { smsNotice, smsText } from "#lib/channels/sms/text.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import type { SmsConfig } from "#lib/config.ts";

export const TWILIO_ORIGIN = "https://api.twilio.com";
const REQUEST_TIMEOUT_MS = 10_000;
/** How long Twilio may keep a message in its queue. Afterwards it says so, and we can send anew. */
const VALIDITY_PERIOD_S = 900;

/** More than the owner's numbers can get in a day under any sensible cap; Twilio's page is at most 1,000. */
const LISTED = 1_000;

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
    params?: object;
    data?: TData;
  }): Promise<Response<TData>> {
    const url = new URL(options.uri);
    for (const [name, value] of formOf(options.params)) url.searchParams.append(name, value);
    const login = Buffer.from(`${options.username}:${options.password}`).toString("base64");
    const answer = await fetch(new URL(url.pathname + url.search, this.#apiUrl ?? url), {
      method: options.method.toUpperCase(),
      headers: { accept: "application/json", authorization: `Basic ${login}` },
      ...(options.data === undefined ? {} : { body: formOf(options.data) }),
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
    return {
      outcome: "retry",
      error: "Twilio takes no more for now (429)",
      advice:
        "Twilio가 지금은 문자를 더 받지 않습니다. 계속되면 Twilio 콘솔에서 발송 한도를 확인해 주세요.",
      ...(notBefore === undefined ? {} : { notBefore }),
    };
  }
  return refused(status, code);
}

/** What a request to Twilio failed with, in a Korean sentence or two for the owner. */
export function adviceOn(error: unknown): string {
  const outcome = outcomeOf(error);
  return "advice" in outcome ? outcome.advice : "";
}

/** Whether Twilio itself said no, with this status. */
export function isRefusal(error: unknown, status: number): boolean {
  return error instanceof TwilioFault && error.status === status;
}

function refused(
  status: number | undefined,
  code: number | undefined,
  providerId?: string,
): SendOutcome {
  const { dead, says, advice } = refusalOf(status, code);
  const figures = [status && `HTTP ${status}`, code && `code ${code}`].filter(Boolean).join(", ");
  const error = `Twilio refuses: ${says} (${figures || "no code"})`;
  return { outcome: "refused", dead, error, advice, ...(providerId ? { providerId } : {}) };
}

/**
 * No answer, a 5xx or one that cannot be read: the message may be out or not. Creating a message is not
 * idempotent at Twilio, so it is looked for before it is sent again.
 */
function maybeSent(error: unknown): SendOutcome {
  const what =
    error instanceof TwilioFault
      ? `HTTP ${error.status}`
      : error instanceof SyntaxError
        ? "an answer that is not JSON"
        : "no answer";
  return {
    outcome: "unknown",
    error: `Twilio gave ${what}, the message may have been sent`,
    advice: `Twilio가 응답하지 않습니다(${error instanceof TwilioFault ? error.status : "연결"}). 서버의 인터넷 연결과 Twilio의 장애 공지를 확인해 주세요.`,
  };
}

/**
 * Where a message stands, by Twilio's statuses: `accepted`, `scheduled`, `queued` and `sending` are with
 * Twilio, `sent` is with the carrier, the others are final.
 * https://www.twilio.com/docs/messaging/api/message-resource#message-status-values
 */
function standingOf(message: { sid: unknown; status: unknown; errorCode: unknown }): SendOutcome {
  const { sid, status, errorCode } = message;
  if (typeof sid !== "string") return maybeSent(new SyntaxError("an answer without a sid"));
  if (status === "delivered" || status === "read") return { outcome: "delivered", providerId: sid };
  if (status === "undelivered" || status === "failed" || status === "canceled") {
    return refused(undefined, typeof errorCode === "number" ? errorCode : undefined, sid);
  }
  return { outcome: "accepted", providerId: sid, passedOn: status === "sent" };
}

function textOf(message: OwnerMessage): string {
  switch (message.kind) {
    case "application":
      return smsText(message.application, message.insteadOf);
    case "alarm":
    case "test":
      return smsNotice(message.text);
    case "digest":
      return smsNotice(`운전연수 신청 ${message.applications.length}건이 있습니다.`);
  }
}

/** A client for one request: the SDK has no other way to hand a signal down to it. */
export function twilioClient(config: SmsConfig, signal: AbortSignal, now: Clock = systemClock) {
  const httpClient = new OneRequest(config.apiUrl, signal, now);
  return twilio(config.accountSid, config.authToken, { httpClient });
}

/** The SMS channel: one message per number of the owner's, each with its own outcome. */
export function openSmsChannel(config: SmsConfig, now: Clock = systemClock): MessageChannel {
  const messages = (signal: AbortSignal) => twilioClient(config, signal, now).messages;

  async function sendTo(to: string, body: string, signal: AbortSignal): Promise<SendOutcome> {
    try {
      const sending = { to, body, validityPeriod: VALIDITY_PERIOD_S, ...config.sender };
      return standingOf(await messages(signal).create(sending));
    } catch (error) {
      return outcomeOf(error);
    }
  }

  return {
    recipients: config.to,
    async send(message, recipients, signal) {
      const body = textOf(message);
      return Promise.all(recipients.map((to) => sendTo(to, body, signal)));
    },
    tracking: {
      /**
       * The list is the newest first. It is narrowed by number only: a filter by day is one by the day of
       * sending, which a message that still lies in Twilio's queue does not have.
       */
      async find({ applicationId, recipient, exceptId }, signal) {
        try {
          const page = await messages(signal).page({ to: recipient, pageSize: LISTED });
          const number = formatApplicationId(applicationId);
          const found = page.instances.find(
            ({ sid, body }) => sid !== exceptId && body.includes(number),
          );
          return found ? standingOf(found) : { outcome: "absent" };
        } catch (error) {
          return outcomeOf(error);
        }
      },
      async follow(providerId, signal) {
        try {
          return standingOf(await messages(signal).get(providerId).fetch());
        } catch (error) {
          return outcomeOf(error);
        }
      },
    },
    async close() {},
  };
}
