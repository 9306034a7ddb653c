/** Every setting that there is, each written once: its name, its fallback and what it must look like. */
import { z } from "zod";
import { formatPhone, normalisePhone } from "#lib/application/phone.ts";
import { parseMailbox, parseMailboxes } from "#lib/channels/mail/address.ts";
import { business } from "#lib/content/business.ts";

const onOrOff = z.stringbool({ truthy: ["on"], falsy: ["off"], case: "sensitive" });

const wholeNumber = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
    .default(fallback);

const phoneNumber = z.string().transform((typed, context) => {
  const normalised = normalisePhone(typed);
  if (normalised !== undefined) return normalised;
  context.addIssue({ code: "custom", message: "must be a phone number" });
  return z.NEVER;
});

const listOf = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .string()
    .transform((text) =>
      text
        .trim()
        .split(/\s*,\s*/)
        .filter(Boolean),
    )
    .pipe(z.array(item).min(1, "must name at least one"));

const sender = z.string().transform((text, context) => {
  const mailbox = parseMailbox(text);
  if (mailbox !== undefined) return mailbox;
  const message = "must be one mail address, like `이름 <name@example.com>`";
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

const mailRecipients = z.string().transform((text, context) => {
  const mailboxes = parseMailboxes(text);
  if (mailboxes !== undefined) return mailboxes.map(({ address }) => address);
  const message = "must be mail addresses, with commas between them";
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

const text = z.string().trim().min(1).optional();

const origin = z.url({ protocol: /^https?$/ }).transform((url, context) => {
  const parsed = new URL(url);
  if (parsed.pathname === "/" && parsed.search === "" && parsed.hash === "") return parsed.origin;
  context.addIssue({ code: "custom", message: "must be an origin without a path" });
  return z.NEVER;
});

/** An address that a visitor can open. */
const link = z.url({ protocol: /^https$/, error: "must be an https:// address" });

const twilioId = (prefix: "AC" | "MG") =>
  z.string().regex(RegExp(`^${prefix}[0-9a-fA-F]{32}$`), `must be ${prefix} and 32 hex digits`);

/** Whether DATABASE_URL names a PostgreSQL server. */
export const isPostgres = (url: string) => /^postgres(ql)?:\/\/./.test(url);

/** No fault quotes it: it holds a password. */
const databaseAddress = z
  .string()
  .refine((url) => /^file:./.test(url) || (isPostgres(url) && isDecodable(url)), {
    message:
      "must be file:… or postgres://user:password@host/database, with special characters in the password percent-encoded (% itself is %25)",
  });

const mailServer = z.url({ protocol: /^smtps?$/ }).refine(isDecodable, {
  message: "has a % that encodes no character: % itself is written %25",
});

/** Whether an address can be read with its user and password, which stand in it percent-encoded. */
function isDecodable(url: string): boolean {
  if (!URL.canParse(url)) return false;
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

export const environment = z.object({
  SITE_URL: origin.default("http://localhost:3000"),
  INQUIRY_PHONE: phoneNumber.transform(formatPhone).default(business.inquiryPhone),

  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: databaseAddress.optional(),

  SMS_TO: listOf(phoneNumber).optional(),
  TWILIO_ACCOUNT_SID: twilioId("AC").optional(),
  TWILIO_AUTH_TOKEN: text,
  TWILIO_FROM: phoneNumber.optional(),
  TWILIO_MESSAGING_SERVICE_SID: twilioId("MG").optional(),
  TWILIO_API_URL: origin.optional(),
  SMS_HOURLY_LIMIT: wholeNumber(30, 1, 100_000),
  SMS_DAILY_LIMIT: wholeNumber(100, 1, 100_000),
  SMTP_URL: mailServer.optional(),
  MAIL_FROM: sender.optional(),
  MAIL_TO: mailRecipients.optional(),
  WEEKLY_SUMMARY: onOrOff.default(true),

  TRUSTED_PROXY_HOPS: wholeNumber(0, 0, 10),
  ADDRESS_REQUESTS_PER_MINUTE: wholeNumber(120, 1, 1_000_000),
  ADDRESS_APPLICATIONS_PER_10_MINUTES: wholeNumber(10, 1, 1_000_000),
  TOTAL_APPLICATIONS_PER_MINUTE: wholeNumber(60, 1, 1_000_000),
  RETENTION_DAYS: wholeNumber(90, 1, 3_650),

  BUSINESS_NAME: text,
  BUSINESS_OWNER: text,
  BUSINESS_REGISTRATION: text,
  BUSINESS_ADDRESS: text,
  BUSINESS_EMAIL: z.email().optional(),
  ACADEMY_REGISTRATION: text,
  FACT_INSURANCE: text,
  FACT_BRAKE: text,
  FACT_INSTRUCTORS: text,
  FACT_REFUND: text,
  FACT_HOURS: text,
  FACT_PICKUP: text,
  FACT_FUEL: text,
  FACT_CHANGES: text,
  CALLBACK_PROMISE: text,
  MESSENGER_URL: link.optional(),
  BUSINESS_LINKS: listOf(link).default([]),
  PRIVACY_DATE: z.iso.date("must be a date like 2026-12-01").optional(),
  PRIVACY_MAIL_PROCESSOR: text,
  PRIVACY_HOST_PROCESSOR: text,
  NAVER_SITE_VERIFICATION: text,
  GOOGLE_SITE_VERIFICATION: text,

  HSTS_SUBDOMAINS: onOrOff.default(false),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  PORT: wholeNumber(3000, 0, 65_535),
  HOSTNAME: z.string().default("0.0.0.0"),
});

export type Environment = z.infer<typeof environment>;

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Name>;
type CamelKeys<Values> = { [Name in keyof Values & string as Camel<Name>]: Values[Name] };

/** SITE_URL → siteUrl */
export const camelName = <Name extends string>(name: Name) =>
  name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>;

/** The same settings by the names that the program uses. */
export function camelKeys<Values extends object>(values: Values) {
  const entries = Object.entries(values).map(([name, value]) => [camelName(name), value]);
  return Object.fromEntries(entries) as CamelKeys<Values>;
}
