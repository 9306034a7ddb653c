/**
 * Requests to Twilio's API through its client, and schemas for the answers, after the API's description:
 * https://github.com/twilio/twilio-oai. Nearly every field may be null there, and new ones may come.
 */
import twilio from "twilio";
import type Response from "twilio/lib/http/response.js";
import { z } from "zod";
import { providerText } from "#lib/channels/provider-text.ts";
import type { SmsConfig } from "#lib/config.ts";

const TWILIO_ORIGIN = "https://api.twilio.com";
/** As long as Twilio's own client waits by default. A shorter wait makes copies. */
const LIMIT_MS = 30_000;

/** An answer of Twilio's that cannot be used, as `HTTP 400, code 21211: …`, without numbers and without our words. */
export class TwilioFault extends Error {
  override name = "TwilioFault";
  status = 0;
  code: number | undefined;
  notBefore: number | undefined;
}

interface Asking {
  /** Below the address of our account: `/Messages.json`. */
  path: string;
  /** Sent as a POST. */
  form?: Readonly<Record<string, string>>;
  signal: AbortSignal;
  now?: () => number;
}

/**
 * One request through Twilio's client, which follows no redirect with our login. The answer is read by our schema: the
 * client's own types promise more than the API's description does.
 * @throws TwilioFault, or what the network or the signal throws
 */
export async function askTwilio<Answer>(
  { accountSid, authToken, apiUrl = TWILIO_ORIGIN }: SmsConfig,
  answerSchema: z.ZodType<Answer>,
  { path, form, signal, now = Date.now }: Asking,
): Promise<Answer> {
  signal.throwIfAborted();
  const cut = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => cut.reject(signal.reason), { once: true });
  const answer = twilio(accountSid, authToken, { keepAlive: false }).request({
    uri: new URL(`/2010-04-01/Accounts/${accountSid}${path}`, apiUrl).href,
    timeout: LIMIT_MS,
    ...(form ? { method: "post", data: form } : { method: "get" }),
  });
  const {
    statusCode: status,
    body,
    headers,
  }: Response<unknown> = await Promise.race([answer, cut.promise]);
  const read = answerSchema.safeParse(body);
  if (status < 300 && read.success) return read.data;
  // An answer of 2xx that cannot be read is quoted nowhere: it may hold personal data.
  const { code, message } = (status < 300 ? undefined : REFUSAL.safeParse(body).data) ?? {};
  const said = providerText(message ?? "", Object.values(form ?? {}).join(" "));
  const figures = `HTTP ${status}${code ? `, code ${code}` : ""}${said && `: ${said}`}`;
  const notBefore = retryAfter(headers["retry-after"], now());
  throw Object.assign(new TwilioFault(figures), { status, code: code ?? undefined, notBefore });
}

/** A `Retry-After` header, seconds or a date → the time that it names, ms since the epoch. */
function retryAfter(header = "", now: number): number | undefined {
  if (/^\s*\d+\s*$/.test(header)) return now + Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : date;
}

const maybe = z.string().nullish();

/** `{ "code": 21211, "message": "…" }` */
const REFUSAL = z.object({ code: z.number().nullish(), message: maybe });

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
const ENTRIES = z
  .array(z.unknown())
  .transform((entries) => entries.flatMap((each) => MESSAGE.safeParse(each).data ?? []));
export const MESSAGES = z.object({ messages: ENTRIES, next_page_uri: maybe });
export const ACCOUNT = z.object({ status: maybe, type: maybe });
export const BALANCE = z.object({ balance: z.coerce.number().nullish(), currency: maybe });
