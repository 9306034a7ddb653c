/**
 * Requests to Twilio's API through its client, and schemas for the answers, after the API's description:
 * https://github.com/twilio/twilio-oai. Nearly every field may be null there, and new ones may come.
 */
import twilio from "twilio";
import type Response from "twilio/lib/http/response.js";
import { z } from "zod";
import { retryAfter } from "#lib/application/retry-after.ts";
import { providerText } from "#lib/channels/provider-text.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import type { SmsConfig } from "#lib/config.ts";

export const TWILIO_ORIGIN = "https://api.twilio.com";

/** An answer of Twilio's that is no success: what can be shown and logged of it. */
export class TwilioFault extends Error {
  override name = "TwilioFault";
  readonly status: number;
  readonly code: number | undefined;
  /** Twilio's words, without numbers and without ours. */
  readonly said: string;
  readonly notBefore: number | undefined;
  constructor(answer: Pick<TwilioFault, "status" | "code" | "said" | "notBefore">) {
    super(`HTTP ${answer.status}`);
    this.status = answer.status;
    this.code = answer.code;
    this.said = answer.said;
    this.notBefore = answer.notBefore;
  }
}

/** An answer that is not what Twilio's description says. Quotes nothing of it: it may hold personal data. */
export class UnreadableAnswer extends Error {
  override name = "UnreadableAnswer";
}

interface Asking {
  /** `https://api.twilio.com/…`; TWILIO_API_URL takes the place of its origin. */
  url: string;
  /** Sent as a POST. */
  form?: Readonly<Record<string, string>>;
  /** How long to wait for the answer. */
  limitMs: number;
  signal: AbortSignal;
  now?: Clock;
}

/**
 * One request, within our time limit, through Twilio's client. Its answer is read by our schema: the client's
 * own types promise more than the API's description does.
 * @throws TwilioFault, UnreadableAnswer, or what fetch throws
 */
export async function askTwilio<Answer>(
  { accountSid, authToken, apiUrl }: SmsConfig,
  answerSchema: z.ZodType<Answer>,
  { url, form, limitMs, signal, now = systemClock }: Asking,
): Promise<Answer> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const httpClient = new OneRequest({ apiUrl, signal: inTime, now });
  const client = twilio(accountSid, authToken, { httpClient });
  const answer = await client.request(
    form ? { method: "post", uri: url, data: form } : { method: "get", uri: url },
  );
  const { data, success } = answerSchema.safeParse(answer.body);
  if (!success) throw new UnreadableAnswer("an answer that cannot be read");
  return data;
}

type Terms = Pick<SmsConfig, "apiUrl"> & { signal: AbortSignal; now: Clock };

/**
 * The client's way to the network for one request: with our base address and our signal. It follows no redirect
 * with our login, and turns a refusal into figures before the client makes an error object of it that would
 * carry the message and the Authorization header.
 */
class OneRequest extends twilio.RequestClient {
  readonly #terms: Terms;

  constructor(terms: Terms) {
    super();
    this.#terms = terms;
  }

  override async request<Data>(
    options: Parameters<twilio.RequestClient["request"]>[0] & { data?: Data },
  ): Promise<Response<Data>> {
    const { apiUrl, signal, now } = this.#terms;
    const { method, uri, username, password, headers, data } = options;
    const { pathname, search, origin } = new URL(uri);
    const login = Buffer.from(`${username}:${password}`).toString("base64");
    const answer = await fetch(new URL(pathname + search, apiUrl ?? origin), {
      method: method.toUpperCase(),
      headers: { ...headers, authorization: `Basic ${login}` },
      ...(data ? { body: new URLSearchParams(data) } : {}),
      redirect: "manual",
      signal,
    });
    const text = await answer.text();
    if (!answer.ok) {
      const notBefore = retryAfter(answer.headers.get("retry-after"), now());
      const sent = Object.values(data ?? {}).join(" ");
      throw new TwilioFault({ status: answer.status, notBefore, ...refusalIn(text, sent) });
    }
    try {
      return { statusCode: answer.status, body: JSON.parse(text), headers: {} };
    } catch {
      throw new UnreadableAnswer("an answer that is not JSON");
    }
  }
}

const REFUSAL = z.object({ code: z.number().nullish(), message: z.string().nullish() });

/** What Twilio says of a refusal, `{ "code": 21211, "message": "…" }`, but for what was sent. */
function refusalIn(body: string, sent: string): Pick<TwilioFault, "code" | "said"> {
  let told: unknown;
  try {
    told = JSON.parse(body);
  } catch {
    told = undefined;
  }
  const { data } = REFUSAL.safeParse(told);
  return { code: data?.code ?? undefined, said: providerText(data?.message ?? "", sent) };
}

const maybe = z.string().nullish();

/** `api.v2010.account.message`. Without a SID we cannot follow it. */
export const MESSAGE = z.object({
  sid: z.string(),
  status: maybe,
  error_code: z.number().nullish(),
  body: maybe,
  date_created: maybe,
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

export const MESSAGES = z.object({ messages: listOf(MESSAGE), next_page_uri: maybe });
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
