/** The only reader of the environment. Everything is checked together, once; every fault is named. */
import { existsSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { loadEnvFile } from "node:process";
import { type Environment, environment, isPostgres } from "#lib/environment.ts";

/** A faulty environment: one message that lists every fault. */
export class ConfigError extends Error {
  override name = "ConfigError";
  /** Each as `SETTING: what is wrong`. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration has faults:\n${faults.map((each) => `  - ${each}`).join("\n")}`);
    this.faults = faults;
  }
}

export interface SmsConfig {
  accountSid: string;
  authToken: string;
  /** Either a number of ours or a messaging service. */
  sender: { from: string } | { messagingServiceSid: string };
  /** The owner's numbers, E.164. */
  to: string[];
  /** Another base address for the Twilio API. */
  apiUrl: string | undefined;
}

export interface MailConfig {
  smtpUrl: string;
  from: string;
  to: string[];
}

/** What the pages show of the business; a fact that is not set is not shown. */
export interface BusinessFacts {
  name: string | undefined;
  owner: string | undefined;
  registration: string | undefined;
  address: string | undefined;
  email: string | undefined;
  academyRegistration: string | undefined;
}

/** The setting of each. */
export const FACT_SETTINGS = {
  name: "BUSINESS_NAME",
  owner: "BUSINESS_OWNER",
  registration: "BUSINESS_REGISTRATION",
  address: "BUSINESS_ADDRESS",
  email: "BUSINESS_EMAIL",
  academyRegistration: "ACADEMY_REGISTRATION",
} as const satisfies Record<keyof BusinessFacts, keyof Environment>;

export interface Config {
  siteUrl: string;
  /** As people read it: `010-0000-0000`. */
  inquiryPhone: string;
  /** Absolute path. */
  dataDir: string;
  /** Absolute path of the SQLite database; not used where there is a databaseUrl. */
  databaseFile: string;
  /** Where PostgreSQL is used: its address, with user and password. */
  databaseUrl: string | undefined;
  /** Undefined when SMS is not configured. */
  sms: SmsConfig | undefined;
  /** Undefined when mail is not configured. */
  mail: MailConfig | undefined;
  /** How many SMS may be paid for. */
  smsCaps: { hourly: number; daily: number };
  /** How many proxies in front add to X-Forwarded-For; 0: the header is not read. */
  trustedProxyHops: number;
  limits: {
    /** Refused and replayed ones. */
    addressRequestsPerMinute: number;
    /** Newly stored ones. */
    addressApplicationsPer10Minutes: number;
    totalApplicationsPerMinute: number;
  };
  /** How long a delivered application is kept, in days. */
  retentionDays: number;
  /** Whether the owner gets a summary on Mondays. */
  weeklySummary: boolean;
  business: BusinessFacts;
  verification: { naver: string | undefined; google: string | undefined };
  logLevel: Environment["LOG_LEVEL"];
  port: number;
  hostname: string;
}

/** The names of an all-or-nothing group that are missing although others are set. */
function missingOf(values: Record<string, unknown>): string[] {
  const names = Object.keys(values);
  const missing = names.filter((name) => values[name] === undefined);
  return missing.length === names.length ? [] : missing;
}

/**
 * An environment → the configuration.
 * @throws ConfigError naming every fault at once.
 */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(
    Object.entries(env)
      .map(([name, value]) => [name, unquoted(value)] as const)
      .filter(([, value]) => value?.trim()),
  );
  const result = environment.safeParse(set);
  const faults = result.success
    ? groupFaults(result.data)
    : result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  if (!result.success || faults.length > 0) {
    throw new ConfigError(faults);
  }
  return arrange(result.data);
}

/** Node takes the quotes off a value in `.env`; `docker run --env-file` hands them on as a part of it. */
function unquoted(value: string | undefined): string | undefined {
  return value?.replace(/^\s*(["'])(.*)\1\s*$/s, "$2");
}

function groupFaults(e: Environment): string[] {
  const sender = e.TWILIO_FROM ?? e.TWILIO_MESSAGING_SERVICE_SID;
  const groups = {
    SMS: {
      SMS_TO: e.SMS_TO,
      TWILIO_ACCOUNT_SID: e.TWILIO_ACCOUNT_SID,
      TWILIO_AUTH_TOKEN: e.TWILIO_AUTH_TOKEN,
      "TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID": sender,
    },
    mail: { SMTP_URL: e.SMTP_URL, MAIL_FROM: e.MAIL_FROM, MAIL_TO: e.MAIL_TO },
  };
  const faults = Object.entries(groups).flatMap(([channel, values]) =>
    missingOf(values).map(
      (name) => `${name}: is missing, the other settings for ${channel} are there`,
    ),
  );
  if (e.TWILIO_FROM && e.TWILIO_MESSAGING_SERVICE_SID) {
    faults.push("TWILIO_FROM, TWILIO_MESSAGING_SERVICE_SID: only one of them may be set");
  }
  for (const name of ["SMS_HOURLY_LIMIT", "SMS_DAILY_LIMIT"] as const) {
    const numbers = e.SMS_TO?.length ?? 0;
    if (e[name] < numbers) faults.push(`${name}: is less than the ${numbers} numbers in SMS_TO`);
  }
  return faults;
}

function arrange(e: Environment): Config {
  const dataDir = resolve(e.DATA_DIR);
  const databaseUrl = e.DATABASE_URL && isPostgres(e.DATABASE_URL) ? e.DATABASE_URL : undefined;
  const fileUrl = databaseUrl === undefined ? e.DATABASE_URL : undefined;
  const databasePath = fileUrl?.replace(/^file:(\/\/)?/, "") ?? "applications.db";
  return {
    siteUrl: e.SITE_URL,
    inquiryPhone: e.INQUIRY_PHONE,
    dataDir,
    databaseFile: isAbsolute(databasePath)
      ? databasePath
      : join(/* turbopackIgnore: true */ fileUrl ? resolve() : dataDir, databasePath),
    databaseUrl,
    sms: smsConfig(e),
    mail:
      e.SMTP_URL && e.MAIL_FROM && e.MAIL_TO
        ? { smtpUrl: e.SMTP_URL, from: e.MAIL_FROM, to: e.MAIL_TO }
        : undefined,
    smsCaps: { hourly: e.SMS_HOURLY_LIMIT, daily: e.SMS_DAILY_LIMIT },
    trustedProxyHops: e.TRUSTED_PROXY_HOPS,
    limits: {
      addressRequestsPerMinute: e.ADDRESS_REQUESTS_PER_MINUTE,
      addressApplicationsPer10Minutes: e.ADDRESS_APPLICATIONS_PER_10_MINUTES,
      totalApplicationsPerMinute: e.TOTAL_APPLICATIONS_PER_MINUTE,
    },
    retentionDays: e.RETENTION_DAYS,
    weeklySummary: e.WEEKLY_SUMMARY === "on",
    business: {
      name: e.BUSINESS_NAME,
      owner: e.BUSINESS_OWNER,
      registration: e.BUSINESS_REGISTRATION,
      address: e.BUSINESS_ADDRESS,
      email: e.BUSINESS_EMAIL,
      academyRegistration: e.ACADEMY_REGISTRATION,
    },
    verification: { naver: e.NAVER_SITE_VERIFICATION, google: e.GOOGLE_SITE_VERIFICATION },
    logLevel: e.LOG_LEVEL,
    port: e.PORT,
    hostname: e.HOSTNAME,
  };
}

function smsConfig(e: Environment): SmsConfig | undefined {
  if (!e.TWILIO_ACCOUNT_SID || !e.TWILIO_AUTH_TOKEN || !e.SMS_TO) return undefined;
  const sender = e.TWILIO_FROM
    ? { from: e.TWILIO_FROM }
    : e.TWILIO_MESSAGING_SERVICE_SID && { messagingServiceSid: e.TWILIO_MESSAGING_SERVICE_SID };
  if (!sender) return undefined;
  return {
    accountSid: e.TWILIO_ACCOUNT_SID,
    authToken: e.TWILIO_AUTH_TOKEN,
    sender,
    to: e.SMS_TO,
    apiUrl: e.TWILIO_API_URL,
  };
}

let cached: Config | undefined;

/**
 * The configuration of this process: the environment, completed from `.env` where there is one.
 * @throws ConfigError naming every fault at once.
 */
export function config(): Config {
  if (cached === undefined) {
    if (existsSync(".env")) loadEnvFile(".env");
    cached = parseConfig(process.env);
  }
  return cached;
}

/** What is built into the prerendered pages: when it differs from the last build's, a build is needed. */
export function builtInFacts(from: Config) {
  const { siteUrl, inquiryPhone, business, verification, retentionDays } = from;
  return { siteUrl, inquiryPhone, business, verification, retentionDays };
}
