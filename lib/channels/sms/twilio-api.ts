/**
 * Requests to Twilio's API, and its answers as its description has them:
 * https://github.com/twilio/twilio-oai. Nearly every field may be null there, and new ones may come.
 */
import { z } from "zod";
import { retryAfter } from "#lib/channels/retry-after.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import type { SmsConfig } from "#lib/config.ts";

export const TWILIO_ORIGIN = "https://api.twilio.com";
const REQUEST_TIMEOUT_MS = 10_000;

/** An answer of Twilio's that is no success: figures only, so that it can be shown and logged. */
export class TwilioFault extends Error {
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

/** An answer that is not what Twilio's description says. Names nothing of it: it may hold personal data. */
export class UnreadableAnswer extends Error {
  override name = "UnreadableAnswer";
}

interface Asking {
  /** `https://api.twilio.com/…`; TWILIO_API_URL takes the place of its origin. */
  url: string;
  /** Sent as a POST. */
  form?: Readonly<Record<string, string>>;
  signal: AbortSignal;
  now?: Clock;
}

/**
 * One request, within our time limit, without following a redirect with our login.
 * @throws TwilioFault, UnreadableAnswer, or what fetch throws
 */
export async function askTwilio<Answer>(
  config: SmsConfig,
  answerSchema: z.ZodType<Answer>,
  { url, form, signal, now = systemClock }: Asking,
): Promise<Answer> {
  const { pathname, search, origin } = new URL(url);
  const login = Buffer.from(`${config.accountSid}:${config.authToken}`).toString("base64");
  const answer = await fetch(new URL(pathname + search, config.apiUrl ?? origin), {
    method: form ? "POST" : "GET",
    headers: { accept: "application/json", authorization: `Basic ${login}` },
    ...(form ? { body: new URLSearchParams(form) } : {}),
    redirect: "manual",
    signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
  });
  const text = await answer.text();
  if (!answer.ok) {
    const notBefore = retryAfter(answer.headers.get("retry-after"), now());
    throw new TwilioFault(answer.status, codeIn(text), notBefore);
  }
  const { data, success } = answerSchema.safeParse(parsed(text));
  if (!success) throw new UnreadableAnswer("an answer that cannot be read");
  return data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableAnswer("an answer that is not JSON");
  }
}

/** Twilio's error code in a refusal: `{ "code": 21211, … }`. */
function codeIn(body: string): number | undefined {
  const match = /"code"\s*:\s*(\d{5})\b/.exec(body);
  return match ? Number(match[1]) : undefined;
}

const maybe = z.string().nullish();

/** `api.v2010.account.message`. A SID is what it must have for us to follow it. */
export const MESSAGE = z.object({
  sid: z.string(),
  status: maybe,
  error_code: z.number().nullish(),
  body: maybe,
});
export type TwilioMessage = z.infer<typeof MESSAGE>;

/** One odd entry is skipped, not the list. */
function listOf<Entry>(entry: z.ZodType<Entry>) {
  return z.array(z.unknown()).transform((entries) =>
    entries.flatMap((each) => {
      const { data, success } = entry.safeParse(each);
      return success ? [data] : [];
    }),
  );
}

export const MESSAGES = z.object({ messages: listOf(MESSAGE) });
export const ACCOUNT = z.object({ status: maybe, type: maybe });
export const BALANCE = z.object({
  balance: z.union([z.string(), z.number()]).nullish(),
  currency: maybe,
});
export const GEO_PERMISSIONS = z.object({
  permissions: listOf(z.object({ country_code: z.string(), enabled: z.boolean().nullish() })),
});
const CAPABILITIES = z.object({ sms: z.boolean().nullish() });
export const INCOMING_NUMBERS = z.object({
  incoming_phone_numbers: listOf(
    z.object({ phone_number: z.string(), capabilities: CAPABILITIES.nullish() }),
  ),
});
export const CALLER_IDS = z.object({
  outgoing_caller_ids: listOf(z.object({ phone_number: z.string() })),
});
export const SERVICE_NUMBERS = z.object({ phone_numbers: z.array(z.unknown()) });
