/** A look at the Twilio account without sending anything: would a text message to the owner go out? */
import type { z } from "zod";
import { TWILIO_CODES } from "#lib/channels/sms/codes.ts";
import { adviceOn } from "#lib/channels/sms/twilio.ts";
import {
  ACCOUNT,
  askTwilio,
  BALANCE,
  CALLER_IDS,
  GEO_PERMISSIONS,
  INCOMING_NUMBERS,
  SERVICE_NUMBERS,
  TWILIO_ORIGIN,
  TwilioFault,
} from "#lib/channels/sms/twilio-api.ts";
import type { SmsConfig } from "#lib/config.ts";
import { type Finding, fault, ok, warn } from "#lib/finding.ts";

/** About a hundred messages to Korea. */
const LOW_BALANCE_USD = 5;
const EXAMINATION_LIMIT_MS = 30_000;
const LOOK_LIMIT_MS = 10_000;

/** Twilio's codes for faults of a message that the account can be asked about beforehand. */
const CODES = {
  suspended: 30002,
  country: 21408,
  sender: 21661,
  unverified: 21608,
  service: 21704,
};
const adviceFor = (code: number) => TWILIO_CODES[code]?.advice ?? "";
const untold = (check: string) => ok(check, "Twilio가 이 항목은 알려 주지 않아 확인을 건너뜁니다.");

/** Looks at the login, the account, its balance, the country, the sender. Never throws. */
export async function examineSms(config: SmsConfig): Promise<Finding[]> {
  const signal = AbortSignal.timeout(EXAMINATION_LIMIT_MS);
  const own = `${TWILIO_ORIGIN}/2010-04-01/Accounts/${config.accountSid}`;
  const ask: Ask = (answerSchema, path) => {
    const url = path.startsWith("https:") ? path : own + path;
    return askTwilio(config, answerSchema, { url, signal, limitMs: LOOK_LIMIT_MS });
  };
  let account: z.infer<typeof ACCOUNT>;
  try {
    account = await ask(ACCOUNT, ".json");
  } catch (error) {
    const settings = isDenied(error) ? " (TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN)" : "";
    return [fault("twilio-login", adviceOn(error) + settings)];
  }
  const login = ok("twilio-login", "Twilio에 로그인됩니다.");
  if (account.status !== "active") {
    return [login, fault("twilio-account", adviceFor(CODES.suspended))];
  }
  const looks = await Promise.all([
    examined("twilio-balance", (check) => balance(check, ask)),
    examined("twilio-country", (check) => country(check, ask, config.to)),
    examined("twilio-sender", (check) => sender(check, ask, config)),
    ...(account.type === "Trial"
      ? [examined("twilio-trial", (check) => verified(check, ask, config.to))]
      : []),
  ]);
  return [login, ok("twilio-account", "Twilio 계정이 활성 상태입니다."), ...looks];
}

/** The answer to a GET, read by the schema. A path stands below the address of our own account. */
type Ask = <Answer>(answerSchema: z.ZodType<Answer>, path: string) => Promise<Answer>;

const isDenied = (error: unknown) =>
  error instanceof TwilioFault && [401, 403, 404].includes(error.status);

/** A part that Twilio will not tell about (a restricted key, a subaccount) is no fault of the sending. */
async function examined(
  check: string,
  look: (check: string) => Promise<Finding>,
): Promise<Finding> {
  return look(check).catch((error: unknown) =>
    isDenied(error)
      ? untold(check)
      : warn(check, `Twilio에서 이 항목을 확인하지 못했습니다. ${adviceOn(error)}`),
  );
}

async function balance(check: string, ask: Ask): Promise<Finding> {
  const told = await ask(BALANCE, "/Balance.json");
  const amount = Number(told.balance ?? Number.NaN);
  if (!Number.isFinite(amount)) return untold(check);
  const shown = `Twilio 잔액이 ${amount.toFixed(2)} ${told.currency ?? "USD"}`;
  if (amount <= 0)
    return fault(check, `${shown}라서 문자가 나가지 않습니다. Twilio 콘솔에서 충전해 주세요.`);
  return amount < LOW_BALANCE_USD
    ? warn(check, `${shown}뿐입니다. Twilio 콘솔에서 충전하거나 자동 충전을 켜 주세요.`)
    : ok(check, `${shown}입니다.`);
}

/** Whether the account may send to the country of the owner's numbers. */
async function country(check: string, ask: Ask, to: readonly string[]): Promise<Finding> {
  if (!to.some((number) => number.startsWith("+82"))) return untold(check);
  const url = "https://accounts.twilio.com/v1/Messaging/GeoPermissions?CountryCode=KR";
  const { permissions } = await ask(GEO_PERMISSIONS, url);
  const korea = permissions.find(({ country_code }) => country_code === "KR");
  if (korea?.enabled === undefined || korea.enabled === null) return untold(check);
  return korea.enabled
    ? ok(check, "Twilio에서 한국으로 보내는 문자가 허용되어 있습니다.")
    : fault(check, adviceFor(CODES.country));
}

async function sender(check: string, ask: Ask, config: SmsConfig): Promise<Finding> {
  if ("messagingServiceSid" in config.sender) {
    return service(check, ask, config.sender.messagingServiceSid);
  }
  const { from } = config.sender;
  const query = new URLSearchParams({ PhoneNumber: from });
  const owned = await ask(INCOMING_NUMBERS, `/IncomingPhoneNumbers.json?${query}`);
  const number = owned.incoming_phone_numbers.find(({ phone_number }) => phone_number === from);
  if (number === undefined) {
    return fault(
      check,
      "TWILIO_FROM이 이 Twilio 계정의 번호가 아닙니다. Twilio 콘솔의 Active numbers에 있는 번호를 넣어 주세요.",
    );
  }
  return number.capabilities?.sms === false
    ? fault(check, `${adviceFor(CODES.sender)} (TWILIO_FROM)`)
    : ok(check, "보내는 번호로 문자를 보낼 수 있습니다.");
}

async function service(check: string, ask: Ask, sid: string): Promise<Finding> {
  const url = `https://messaging.twilio.com/v1/Services/${sid}/PhoneNumbers?PageSize=1`;
  const numbers = await ask(SERVICE_NUMBERS, url).catch((error: unknown) => {
    if (error instanceof TwilioFault && error.status === 404) return { phone_numbers: [] };
    throw error;
  });
  return numbers.phone_numbers.length > 0
    ? ok(check, "메시징 서비스에 보내는 번호가 있습니다.")
    : fault(check, `${adviceFor(CODES.service)} (TWILIO_MESSAGING_SERVICE_SID)`);
}

/** A trial account sends only to numbers that were verified in the console. */
async function verified(check: string, ask: Ask, to: readonly string[]): Promise<Finding> {
  const { outgoing_caller_ids } = await ask(CALLER_IDS, "/OutgoingCallerIds.json?PageSize=1000");
  const known = new Set(outgoing_caller_ids.map(({ phone_number }) => phone_number));
  return to.every((number) => known.has(number))
    ? warn(check, "Twilio 체험 계정입니다. 정식 운영 전에 콘솔에서 계정을 전환해 주세요.")
    : fault(check, adviceFor(CODES.unverified));
}
