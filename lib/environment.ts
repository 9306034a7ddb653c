import { isIP } from "node:net";
import { z } from "zod";
import {
  databasePath,
  hasPostgresScheme,
  hostInAscii,
  isLiteralPath,
  normaliseOrigin,
  postgresServerName,
} from "#lib/addresses.ts";
import { formatPhone, normalisePhone } from "#lib/application/phone.ts";
import { parseMailbox, parseMailboxes } from "#lib/channels/mail/address.ts";
import { business } from "#lib/content/business.ts";

/** A setting is faulty if the parser returns undefined. No fault quotes the setting. */
const createParsingSchema = <Value>(parse: (text: string) => Value | undefined, fault: string) =>
  z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: fault });
    return z.NEVER;
  });

const onOrOff = z.stringbool({
  truthy: ["on"],
  falsy: ["off"],
  case: "sensitive",
  error: "on이나 off로 적어 주세요.",
});

const wholeNumber = (min: number, max: number) =>
  createParsingSchema((text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  }, `${min}부터 ${max}까지의 정수를 적어 주세요.`);

const phoneNumber = createParsingSchema(
  normalisePhone,
  "전화번호 하나만 다른 글자 없이 적어 주세요.",
);
const smsRecipient = createParsingSchema(
  normalisePhone,
  "휴대폰 번호를 쉼표로 나누어 적어 주세요.",
);
const mailSender = createParsingSchema(
  parseMailbox,
  "운전연수 <site@practice.example>처럼 메일 주소 하나만 적어 주세요.",
);
const mailRecipients = createParsingSchema(
  (text) => parseMailboxes(text)?.map(({ address }) => address),
  "메일 주소를 쉼표로 나누어 적어 주세요.",
);

const listOf = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .string()
    .transform((text) => text.split(/\s*,\s*/).filter(Boolean))
    .pipe(z.array(item).min(1, "하나 이상 적어 주세요."));

/** Some editors write question marks for Hangul that their encoding lacks. */
const text = z.string().refine((given) => !/(^|\s)\?{2,}/.test(given), {
  message: "글자가 물음표로 깨져 있습니다. 다시 적고 UTF-8로 저장해 주세요.",
});

/** A page would take square brackets for the notation of lib/content/text-notation.ts. */
const pageText = text.transform((given) => given.replaceAll("[", "［").replaceAll("]", "］"));

const origin = createParsingSchema(
  normaliseOrigin,
  "https://practice.example처럼 도메인까지만 적어 주세요(경로, ?, #, @ 없이).",
);

/** The URL parser accepts spaces, so two addresses without a comma would be one link. */
const link = createParsingSchema(
  (typed) => (/^https:\/\/\S+$/i.test(typed) && URL.canParse(typed) ? typed : undefined),
  "https://로 시작하고 빈칸이 없는 주소를 적어 주세요.",
);

const twilioId = (prefix: "AC" | "MG") =>
  z.string().regex(RegExp(`^${prefix}[0-9a-fA-F]{32}$`), {
    message: `${prefix}로 시작하고 16진수 32자리가 이어져야 합니다.`,
  });

const ENCODE_ADVICE =
  "아이디와 비밀번호의 특수 문자는 %로 바꿔 적습니다(# → %23, / → %2F, ? → %3F, % → %25).";
const isDatabaseUrl = (url: string) =>
  (hasPostgresScheme(url) ? postgresServerName(url) : databasePath(url)) !== undefined;
const databaseUrl = z.string().refine(isDatabaseUrl, {
  message: `file:/경로 또는 postgres://아이디:비밀번호@서버:5432/이름처럼 적어 주세요. ${ENCODE_ADVICE}`,
});
const mailHost = createParsingSchema(hostInAscii, "smtp.naver.com처럼 서버 이름만 적어 주세요.");

const path = z.string().refine(isLiteralPath, "~나 $ 없이 /로 시작하는 경로를 적어 주세요.");

const fileName = z.string().refine((name) => !/[/\\]/.test(name), {
  message: "instructor.jpg처럼 DATA_DIR 폴더에 있는 파일의 이름만 적어 주세요.",
});

const mailAddress = createParsingSchema((typed) => {
  const isBare = !/[<>]/.test(typed) && parseMailbox(typed) !== undefined;
  return isBare ? typed : undefined;
}, "메일 주소를 적어 주세요.");

/** A search engine's code, or the tag or the DNS entry that contains the code. */
const verificationCode = createParsingSchema(
  (typed) =>
    /^(?:<meta\b.*\bcontent=["']|google-site-verification=)?([\w=+/-]+)(?:["'].*)?$/.exec(
      typed,
    )?.[1],
  "메타 태그의 content 값을 적어 주세요.",
);

const listenAddress = z.string().refine(isListenAddress, {
  message: "0.0.0.0이나 127.0.0.1 같은 IP 주소를 적어 주세요.",
});

/** HOSTNAME may also be the machine's name, which containers and shells export. */
export function isListenAddress(host: string): boolean {
  return isIP(host) !== 0 || host === "localhost";
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export const settingsSchema = z.object({
  SITE_URL: origin.default("http://localhost:3000"),
  INQUIRY_PHONE: phoneNumber.transform(formatPhone).default(business.inquiryPhone),

  DATA_DIR: path.default("./data"),
  DATABASE_URL: databaseUrl.optional(),

  SMS_TO: listOf(smsRecipient).optional(),
  TWILIO_ACCOUNT_SID: twilioId("AC").optional(),
  TWILIO_AUTH_TOKEN: text.optional(),
  TWILIO_FROM: phoneNumber.optional(),
  TWILIO_MESSAGING_SERVICE_SID: twilioId("MG").optional(),
  TWILIO_API_URL: origin.optional(),
  SMS_HOURLY_LIMIT: wholeNumber(1, 100_000).default(30),
  SMS_DAILY_LIMIT: wholeNumber(1, 100_000).default(100),
  SMTP_HOST: mailHost.optional(),
  SMTP_PORT: wholeNumber(1, 65_535).default(587),
  SMTP_USER: text.optional(),
  SMTP_PASSWORD: z.string().optional(),
  MAIL_FROM: mailSender.optional(),
  MAIL_TO: mailRecipients.optional(),
  WEEKLY_SUMMARY: onOrOff.default(true),

  PUBLIC_PROXIES: wholeNumber(0, 10).default(0),
  ADDRESS_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(120),
  ADDRESS_APPLICATIONS_PER_10_MINUTES: wholeNumber(1, 1_000_000).default(10),
  TOTAL_APPLICATIONS_PER_MINUTE: wholeNumber(1, 1_000_000).default(60),
  RETENTION_DAYS: wholeNumber(1, 3_650).default(90),

  BUSINESS_NAME: pageText.optional(),
  BUSINESS_OWNER: pageText.optional(),
  BUSINESS_REGISTRATION: pageText.optional(),
  BUSINESS_ADDRESS: pageText.optional(),
  BUSINESS_EMAIL: mailAddress.optional(),
  ACADEMY_REGISTRATION: pageText.optional(),
  INSTRUCTOR_NAME: pageText.optional(),
  INSTRUCTOR_WORDS: pageText.optional(),
  INSTRUCTOR_PHOTO: fileName.optional(),
  FACT_INSURANCE: pageText.optional(),
  FACT_INSURANCE_OWN: pageText.optional(),
  FACT_BRAKE: pageText.optional(),
  FACT_INSTRUCTORS: pageText.optional(),
  FACT_REFUND: pageText.optional(),
  FACT_HOURS: pageText.optional(),
  FACT_PICKUP: pageText.optional(),
  FACT_FUEL: pageText.optional(),
  FACT_FUEL_OWN: pageText.optional(),
  FACT_CHANGES: pageText.optional(),
  CALLBACK_PROMISE: pageText.optional(),
  MESSENGER_URL: link.optional(),
  BUSINESS_LINKS: listOf(link).default([]),
  PRIVACY_DATE: z.iso.date("2026-12-01처럼 적어 주세요.").optional(),
  PRIVACY_MAIL_PROCESSOR: pageText.optional(),
  PRIVACY_HOST_PROCESSOR: pageText.optional(),
  NAVER_SITE_VERIFICATION: verificationCode.optional(),
  GOOGLE_SITE_VERIFICATION: verificationCode.optional(),

  LOG_LEVEL: z
    .enum(LOG_LEVELS, `${LOG_LEVELS.join(", ")} 가운데 하나를 적어 주세요.`)
    .default("info"),
  PORT: wholeNumber(0, 65_535).default(3000),
  HOSTNAME: listenAddress.default("0.0.0.0"),
});

export type Environment = z.infer<typeof settingsSchema>;

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Name>;
type CamelKeys<Values> = { [Name in keyof Values & string as Camel<Name>]: Values[Name] };

export const camelName = <Name extends string>(name: Name) =>
  name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>;

export function camelKeys<Values extends object>(values: Values) {
  const entries = Object.entries(values).map(([name, value]) => [camelName(name), value]);
  return Object.fromEntries(entries) as CamelKeys<Values>;
}
