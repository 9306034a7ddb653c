/** A look at the Twilio account without sending anything: would a text message to the owner go out? */
import type { z } from "zod";
import { refusalOf } from "#lib/channels/sms/error-codes.ts";
import { adviceOn, isRefusal } from "#lib/channels/sms/twilio.ts";
import {
  ACCOUNT,
  askTwilio,
  BALANCE,
  CALLER_IDS,
  GEO_PERMISSIONS,
  INCOMING_NUMBERS,
  SERVICE_NUMBERS,
  TWILIO_ORIGIN,
} from "#lib/channels/sms/twilio-api.ts";
import type { SmsConfig } from "#lib/config.ts";
import { type Finding, fault, ok, warn } from "#lib/finding.ts";

/** About a hundred messages to Korea. */
const LOW_BALANCE_USD = 5;
const EXAMINATION_LIMIT_MS = 30_000;

/** Twilio's codes for faults of a message that the account can be asked about beforehand. */
const CODES = {
  suspended: 30002,
  country: 21408,
  sender: 21606,
  unverified: 21608,
  emptyService: 21703,
  unknownService: 21705,
};
const SERVICE_SETTING = " (TWILIO_MESSAGING_SERVICE_SID)";
const UNTOLD = "Twilio가 이 항목은 알려 주지 않아 확인을 건너뜁니다.";
const adviceFor = (code: number) => refusalOf(undefined, code).advice;

/** Looks at the login, the account, its balance, the country, the sender. Never throws. */
export async function examineSms(config: SmsConfig): Promise<Finding[]> {
  const signal = AbortSignal.timeout(EXAMINATION_LIMIT_MS);
  const own = `${TWILIO_ORIGIN}/2010-04-01/Accounts/${config.accountSid}`;
  const ask: Ask = (answerSchema, url) =>
    askTwilio(config, answerSchema, { url: url.startsWith("https:") ? url : own + url, signal });
  let account: z.infer<typeof ACCOUNT>;
  try {
    account = await ask(ACCOUNT, ".json");
  } catch (error) {
    const denied = [401, 403, 404].some((status) => isRefusal(error, status));
    const settings = denied ? " (TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN)" : "";
    return [fault("twilio-login", adviceOn(error) + settings)];
  }
  const login = ok("twilio-login", "Twilio에 로그인됩니다.");
  if (account.status !== "active") {
    return [login, fault("twilio-account", adviceFor(CODES.suspended))];
  }
  const looks: Promise<Finding[]>[] = [
    examined("twilio-balance", () => balance(ask)),
    examined("twilio-country", () => country(ask, config.to)),
    examined("twilio-sender", () => sender(ask, config)),
  ];
  if (account.type === "Trial") {
    looks.push(examined("twilio-trial", () => verifiedNumbers(ask, config.to)));
  }
  const active = ok("twilio-account", "Twilio 계정이 활성 상태입니다.");
  return [login, active, ...(await Promise.all(looks)).flat()];
}

/** The answer to a GET, read by the schema. A path stands below the address of our own account. */
type Ask = <Answer>(answerSchema: z.ZodType<Answer>, url: string) => Promise<Answer>;

/** A part that Twilio will not tell about (a restricted key, a subaccount) is no fault of the sending. */
async function examined(check: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    const untold = [401, 403, 404].some((status) => isRefusal(error, status));
    return untold
      ? [ok(check, UNTOLD)]
      : [warn(check, `Twilio에서 이 항목을 확인하지 못했습니다. ${adviceOn(error)}`)];
  }
}

async function balance(ask: Ask): Promise<Finding[]> {
  const told = await ask(BALANCE, "/Balance.json");
  const amount = Number(told.balance ?? Number.NaN);
  const shown = `${amount.toFixed(2)} ${told.currency ?? "USD"}`;
  if (!Number.isFinite(amount)) {
    return [ok("twilio-balance", UNTOLD)];
  }
  if (amount <= 0) {
    const sentence = `Twilio 잔액이 ${shown}이라 문자가 나가지 않습니다. Twilio 콘솔에서 충전해 주세요.`;
    return [fault("twilio-balance", sentence)];
  }
  if (amount < LOW_BALANCE_USD) {
    const sentence = `Twilio 잔액이 ${shown}뿐입니다. Twilio 콘솔에서 충전하거나 자동 충전을 켜 주세요.`;
    return [warn("twilio-balance", sentence)];
  }
  return [ok("twilio-balance", `Twilio 잔액은 ${shown}입니다.`)];
}

/** Whether the account may send to the country of the owner's numbers. */
async function country(ask: Ask, to: readonly string[]): Promise<Finding[]> {
  if (!to.some((number) => number.startsWith("+82"))) return [];
  const url = "https://accounts.twilio.com/v1/Messaging/GeoPermissions?CountryCode=KR";
  const { permissions } = await ask(GEO_PERMISSIONS, url);
  const korea = permissions.find(({ country_code }) => country_code === "KR");
  if (korea?.enabled === false) return [fault("twilio-country", adviceFor(CODES.country))];
  const sentence =
    korea?.enabled === true ? "Twilio에서 한국으로 보내는 문자가 허용되어 있습니다." : UNTOLD;
  return [ok("twilio-country", sentence)];
}

async function sender(ask: Ask, { sender: from }: SmsConfig): Promise<Finding[]> {
  if ("messagingServiceSid" in from) return [await service(ask, from.messagingServiceSid)];
  const query = new URLSearchParams({ PhoneNumber: from.from });
  const owned = await ask(INCOMING_NUMBERS, `/IncomingPhoneNumbers.json?${query}`);
  const number = owned.incoming_phone_numbers.find(
    ({ phone_number }) => phone_number === from.from,
  );
  if (number === undefined) {
    const sentence =
      "TWILIO_FROM이 이 Twilio 계정의 번호가 아닙니다. Twilio 콘솔의 Active numbers에 있는 번호를 넣어 주세요.";
    return [fault("twilio-sender", sentence)];
  }
  if (number.capabilities?.sms === false) {
    return [fault("twilio-sender", `${adviceFor(CODES.sender)} (TWILIO_FROM)`)];
  }
  return [ok("twilio-sender", "보내는 번호로 문자를 보낼 수 있습니다.")];
}

async function service(ask: Ask, sid: string): Promise<Finding> {
  try {
    const url = `https://messaging.twilio.com/v1/Services/${sid}/PhoneNumbers?PageSize=1`;
    const { phone_numbers } = await ask(SERVICE_NUMBERS, url);
    return phone_numbers.length > 0
      ? ok("twilio-sender", "메시징 서비스에 보내는 번호가 있습니다.")
      : fault("twilio-sender", adviceFor(CODES.emptyService) + SERVICE_SETTING);
  } catch (error) {
    if (!isRefusal(error, 404)) throw error;
    return fault("twilio-sender", adviceFor(CODES.unknownService) + SERVICE_SETTING);
  }
}

/** A trial account sends only to numbers that were verified in the console. */
async function verifiedNumbers(ask: Ask, to: readonly string[]): Promise<Finding[]> {
  const { outgoing_caller_ids } = await ask(CALLER_IDS, "/OutgoingCallerIds.json?PageSize=1000");
  const verified = new Set(outgoing_caller_ids.map(({ phone_number }) => phone_number));
  return to.every((number) => verified.has(number))
    ? [
        warn(
          "twilio-trial",
          "Twilio 체험 계정입니다. 정식 운영 전에 콘솔에서 계정을 전환해 주세요.",
        ),
      ]
    : [fault("twilio-trial", adviceFor(CODES.unverified))];
}
