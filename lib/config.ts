/** The only reader of the environment. Everything is checked together, once; every fault is named. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadEnvFile } from "node:process";
import { MOST_SEGMENTS } from "#lib/channels/sms/segments.ts";
import { camelKeys, type Environment, environment, isPostgres } from "#lib/environment.ts";

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

export type Config = ReturnType<typeof arrange>;
export type SmsConfig = NonNullable<Config["sms"]>;
export type MailConfig = NonNullable<Config["mail"]>;

/** What the law asks a business to say about itself; a fact that is not set is not shown. */
export const BUSINESS_FACTS = [
  "BUSINESS_NAME",
  "BUSINESS_OWNER",
  "BUSINESS_REGISTRATION",
  "BUSINESS_ADDRESS",
  "BUSINESS_EMAIL",
  "ACADEMY_REGISTRATION",
] as const satisfies readonly (keyof Environment)[];

/**
 * An environment → the configuration: each setting by its name in camel case, and what belongs together.
 * @throws ConfigError naming every fault at once.
 */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.entries(env).map(([name, value]) => [name, unquoted(value)] as const);
  const set = Object.fromEntries(given.filter(([, value]) => value?.trim()));
  const { data, error } = environment.safeParse(set);
  const faults = data
    ? channelFaults(data)
    : error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  if (!data || faults.length > 0) throw new ConfigError(faults);
  return arrange(data);
}

/** Node takes the quotes off a value in `.env`; `docker run --env-file` hands them on as a part of it. */
const unquoted = (value: string | undefined) => value?.replace(/^\s*(["'])(.*)\1\s*$/s, "$2");

/** What each channel needs, all of it or nothing. */
const CHANNEL_SETTINGS = {
  SMS: [
    ["SMS_TO"],
    ["TWILIO_ACCOUNT_SID"],
    ["TWILIO_AUTH_TOKEN"],
    ["TWILIO_FROM", "TWILIO_MESSAGING_SERVICE_SID"],
  ],
  mail: [["SMTP_URL"], ["MAIL_FROM"], ["MAIL_TO"]],
} as const satisfies Record<string, (keyof Environment)[][]>;

function channelFaults(e: Environment): string[] {
  const faults = Object.entries(CHANNEL_SETTINGS).flatMap(([channel, needed]) => {
    const absent = needed.filter((either) => either.every((name) => e[name] === undefined));
    return absent.length === needed.length
      ? []
      : absent.map(
          (either) =>
            `${either.join(" or ")}: is missing, the other settings for ${channel} are there`,
        );
  });
  if (e.TWILIO_FROM && e.TWILIO_MESSAGING_SERVICE_SID) {
    faults.push("TWILIO_FROM, TWILIO_MESSAGING_SERVICE_SID: only one of them may be set");
  }
  for (const name of ["SMS_HOURLY_LIMIT", "SMS_DAILY_LIMIT"] as const) {
    const numbers = e.SMS_TO?.length ?? 0;
    const most = MOST_SEGMENTS * numbers;
    if (e[name] < most)
      faults.push(
        `${name}: is less than ${most}, what one application can cost to the ${numbers} numbers in SMS_TO`,
      );
  }
  return faults;
}

function arrange(e: Environment) {
  const dataDir = resolve(e.DATA_DIR);
  const databaseUrl = e.DATABASE_URL && isPostgres(e.DATABASE_URL) ? e.DATABASE_URL : undefined;
  const databaseFile = databaseUrl ? undefined : e.DATABASE_URL?.replace(/^file:(\/\/)?/, "");
  return {
    ...camelKeys(e),
    /** Absolute path. */
    dataDir,
    /** Where PostgreSQL is used: its address, with user and password. */
    databaseUrl,
    /** Absolute path of the SQLite database; not used where there is a databaseUrl. */
    databaseFile: databaseFile
      ? resolve(/* turbopackIgnore: true */ databaseFile)
      : join(dataDir, "applications.db"),
    /** Undefined when SMS is not configured. */
    sms: smsConfig(e),
    /** Undefined when mail is not configured. */
    mail:
      e.SMTP_URL && e.MAIL_FROM && e.MAIL_TO
        ? { smtpUrl: e.SMTP_URL, from: e.MAIL_FROM, to: e.MAIL_TO }
        : undefined,
  };
}

function smsConfig(e: Environment) {
  /** Either a number of ours or a messaging service. */
  const sender = e.TWILIO_FROM
    ? { from: e.TWILIO_FROM }
    : e.TWILIO_MESSAGING_SERVICE_SID && { messagingServiceSid: e.TWILIO_MESSAGING_SERVICE_SID };
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, SMS_TO: to } = e;
  if (!accountSid || !authToken || !to || !sender) return undefined;
  return { accountSid, authToken, sender, to, apiUrl: e.TWILIO_API_URL };
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
