import { lstatSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { databasePath, hasPostgresScheme, type MailServer } from "#lib/addresses.ts";
import { PROVIDER_CHANNELS, type ProviderChannel } from "#lib/channels/names.ts";
import { MAX_SEGMENTS } from "#lib/channels/sms/segments.ts";
import { CHANNEL_WORDS } from "#lib/channels/words.ts";
import { type EnvFile, parseEnvFile, unfitCharacterFault } from "#lib/env-file.ts";
import { camelKeys, type Environment, isListenAddress, settingsSchema } from "#lib/environment.ts";
import { errorCode } from "#lib/error-code.ts";
import { describeUnknownSettings } from "#lib/unknown-settings.ts";

export class ConfigError extends Error {
  override name = "ConfigError";
  /** Each fault starts with the names of its settings, or with `.env` and the number of a faulty line. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`설정에 잘못이 있습니다:\n${faults.map((each) => `  - ${each}`).join("\n")}`);
    this.faults = faults;
  }
}

export type Config = ReturnType<typeof parseConfig>;
export type SmsConfig = NonNullable<Config["sms"]>;
export type MailConfig = NonNullable<Config["mail"]>;

/** The facts that the law requires of a business. */
export const BUSINESS_SETTINGS = [
  "BUSINESS_NAME",
  "BUSINESS_OWNER",
  "BUSINESS_REGISTRATION",
  "BUSINESS_ADDRESS",
  "BUSINESS_EMAIL",
  "ACADEMY_REGISTRATION",
] as const satisfies readonly (keyof Environment)[];

/** The result has each setting under its name in camel case. @throws ConfigError with all faults */
export function parseConfig(env: NodeJS.Dict<string>, file: EnvFile = EMPTY_ENV_FILE) {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    // Copied values may contain other kinds of spaces.
    const text = value?.replace(/[\p{Zs}\r\n]/gu, " ").trim();
    if (text) given[name] = text;
  }
  const { data, error } = settingsSchema.safeParse(given);
  const faults = data
    ? listChannelSettingFaults(data)
    : error.issues.map(({ path: [name = ""], message }) => `${String(name)}: ${message}`);
  const unfit = SETTING_NAMES.flatMap((name) => {
    const fault = unfitCharacterFault(given[name] ?? "");
    return fault ? [`${name}: ${fault}`] : [];
  });
  const warnings = describeUnknownSettings(Object.keys(given), Object.keys(file.values));
  if (!data || file.faults.length + unfit.length + faults.length > 0)
    throw new ConfigError([...file.faults, ...unfit, ...faults, ...warnings]);
  return { ...buildConfig(data), warnings };
}

const SETTING_NAMES = Object.keys(settingsSchema.shape);

/** A row lists alternatives. A channel needs one of each row, or none at all. */
const CHANNEL_SETTINGS: Readonly<Record<ProviderChannel, readonly (keyof Environment)[][]>> = {
  sms: [
    ["SMS_TO"],
    ["TWILIO_ACCOUNT_SID"],
    ["TWILIO_AUTH_TOKEN"],
    ["TWILIO_FROM", "TWILIO_MESSAGING_SERVICE_SID"],
  ],
  mail: [["SMTP_HOST"], ["MAIL_FROM"], ["MAIL_TO"]],
};

/** The port on which a mail server speaks TLS from the first byte. */
const SMTPS_PORT = 465;

function listChannelSettingFaults(parsed: Environment): string[] {
  const faults = PROVIDER_CHANNELS.flatMap((channel) => {
    const needed = CHANNEL_SETTINGS[channel];
    const absent = needed.filter((either) => either.every((name) => parsed[name] === undefined));
    return absent.length === needed.length
      ? []
      : absent.map(
          (either) => `${either.join(", ")}: ${CHANNEL_WORDS[channel]}에 필요한데 비어 있습니다.`,
        );
  });
  if (parsed.TWILIO_FROM && parsed.TWILIO_MESSAGING_SERVICE_SID)
    faults.push("TWILIO_FROM, TWILIO_MESSAGING_SERVICE_SID: 둘 가운데 하나만 적어 주세요.");
  if ((parsed.SMTP_USER === undefined) !== (parsed.SMTP_PASSWORD === undefined)) {
    faults.push("SMTP_USER, SMTP_PASSWORD: 둘 다 적거나 둘 다 비워 주세요.");
  }
  if (parsed.SMTP_USER && !parsed.SMTP_HOST) {
    faults.push("SMTP_HOST: SMTP_USER가 있는데 비어 있습니다.");
  }
  for (const name of ["SMS_HOURLY_LIMIT", "SMS_DAILY_LIMIT"] as const) {
    const numbers = parsed.SMS_TO?.length ?? 0;
    const most = MAX_SEGMENTS * numbers;
    if (parsed[name] < most)
      faults.push(
        `${name}: ${most} 이상이어야 합니다. 신청 한 건이 번호 ${numbers}개로 그만큼 나갈 수 있습니다.`,
      );
  }
  return faults;
}

function buildConfig(parsed: Environment) {
  const dataDir = resolve(parsed.DATA_DIR);
  const databaseUrl =
    parsed.DATABASE_URL && hasPostgresScheme(parsed.DATABASE_URL) ? parsed.DATABASE_URL : undefined;
  const databaseFile = databasePath(parsed.DATABASE_URL ?? "");
  return {
    ...camelKeys(parsed),
    dataDir,
    databaseUrl,
    /** A site with a `databaseUrl` does not use this file. */
    databaseFile: databaseFile
      ? resolve(/* turbopackIgnore: true */ databaseFile)
      : join(dataDir, "applications.db"),
    sms: smsConfig(parsed),
    mail: mailConfig(parsed),
  };
}

function smsConfig(parsed: Environment) {
  const sender = parsed.TWILIO_FROM
    ? { from: parsed.TWILIO_FROM }
    : parsed.TWILIO_MESSAGING_SERVICE_SID && {
        messagingServiceSid: parsed.TWILIO_MESSAGING_SERVICE_SID,
      };
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken, SMS_TO: to } = parsed;
  if (!accountSid || !authToken || !to || !sender) return undefined;
  return { accountSid, authToken, sender, to, apiUrl: parsed.TWILIO_API_URL };
}

function mailConfig(parsed: Environment) {
  const server = mailServer(parsed);
  return server && parsed.MAIL_FROM && parsed.MAIL_TO
    ? { server, from: parsed.MAIL_FROM, to: parsed.MAIL_TO }
    : undefined;
}

function mailServer(parsed: Environment): MailServer | undefined {
  const { SMTP_HOST: host, SMTP_PORT: port, SMTP_USER: user, SMTP_PASSWORD: password } = parsed;
  if (!host) return undefined;
  const server = { host, port, secure: port === SMTPS_PORT };
  return user && password ? { ...server, login: { user, password } } : server;
}

let cached: Config | undefined;

/** The settings of the environment, and of `.env` for missing variables. @throws ConfigError with all faults */
export function config(): Config {
  if (cached === undefined) {
    const file = readEnvFile();
    const envWarnings = [...applyEnvFile(file.values), ...forbidTlsOverride()];
    const parsed = parseConfig(process.env, file);
    cached = { ...parsed, warnings: [...parsed.warnings, ...envWarnings] };
  }
  return cached;
}

const EMPTY_ENV_FILE: EnvFile = { values: {}, faults: [] };

function readEnvFile(): EnvFile {
  try {
    return parseEnvFile(readFileSync(".env"));
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" && !lstatSync(".env", { throwIfNoEntry: false })) return EMPTY_ENV_FILE;
    const remedy =
      "파일인지, 링크라면 그 파일이 있는지, 사이트의 사용자가 읽을 수 있는지 확인해 주세요. 점검(doctor)과 명령은 sudo로 실행해도 됩니다.";
    return { ...EMPTY_ENV_FILE, faults: [`.env: 읽을 수 없습니다(${code}). ${remedy}`] };
  }
}

/**
 * Adds the settings of `.env` that the environment lacks, so that Next's own copy of this module finds them too. No
 * other line of the file reaches the environment, where Node would obey it. Removes a HOSTNAME that is the machine's
 * name. Returns a warning for each setting of the file that the environment overrules.
 */
function applyEnvFile(values: Readonly<Record<string, string>>): string[] {
  const { env } = process;
  if (env.HOSTNAME !== undefined && !isListenAddress(env.HOSTNAME.trim())) delete env.HOSTNAME;
  return SETTING_NAMES.flatMap((name) => {
    // `docker run --env-file` passes quotes on with a value.
    const given = env[name]?.trim().replace(/^(["'])(.*)\1$/s, "$2");
    const value = given ?? values[name];
    if (value === undefined) return [];
    env[name] = value;
    const isReplaced = values[name] !== undefined && values[name] !== value;
    return isReplaced ? [`${name}: 환경 변수의 값을 쓰고 .env의 값은 쓰지 않습니다.`] : [];
  });
}

/** With this variable, Node would accept any certificate, and so send passwords to any server that claims the name. */
function forbidTlsOverride(): string[] {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== "0") return [];
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  return [
    "NODE_TLS_REJECT_UNAUTHORIZED: 쓰지 않고, 인증서를 언제나 확인합니다. 자체 인증기관의 서버라면 NODE_EXTRA_CA_CERTS에 그 인증서 파일을 적어 주세요.",
  ];
}
