/** SMS to the owner, through Twilio. */
import type { z } from "zod";
import { APPLICATION_ID_ALPHABET, formatApplicationId } from "#lib/application/application-id.ts";
import type {
  AttemptResult,
  Channel,
  ChannelKind,
  MessageQuery,
  OwnerMessage,
} from "#lib/channels/channel.ts";
import { failureOf, isForNow, refusalOf, SUSPENDED } from "#lib/channels/sms/codes.ts";
import { segmentsOf } from "#lib/channels/sms/segments.ts";
import { smsNotice, smsOf } from "#lib/channels/sms/text.ts";
import {
  ACCOUNT,
  askTwilio,
  BALANCE,
  MESSAGE,
  MESSAGES,
  TwilioFault,
  type TwilioMessage,
} from "#lib/channels/sms/twilio-api.ts";
import { summaryText } from "#lib/channels/weekly-summary.ts";
import type { SmsConfig } from "#lib/config.ts";
import { type Finding, findingsAbout } from "#lib/finding.ts";

const MINUTE = 60_000;
const { ok, warn, fault } = findingsAbout("sms");

/** How long Twilio may keep a message in its queue. Afterwards it says so, and we can send anew. */
const VALIDITY_PERIOD_S = 900;
/** A page of Twilio's list; its clock and ours may differ by some minutes. */
const LISTED = 1_000;
const CLOCK_TOLERANCE_MS = 10 * MINUTE;
/** About a hundred messages to Korea. */
const LOW_BALANCE_USD = 5;
const EXAMINATION_LIMIT_MS = 20_000;

/** The text message, as a way to the owner. */
export const sms: ChannelKind = {
  slots: 8,
  settings:
    "SMS_TO, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM(또는 TWILIO_MESSAGING_SERVICE_SID)",
  open: ({ sms: own }) => own && openSms(own),
  diagnose: async ({ sms: own }) => own && diagnoseSms(own),
  deliveredWords: "문자가 휴대폰에 도착했습니다.",
  whereToLook:
    "휴대폰에서 확인해 주세요. 문자 앞에는 [국제발신]이나 [Web발신]이, 번호 앞에는 006이나 009가 붙습니다. 보이지 않으면 스팸 보관함을 열어 보시고, 통신사의 국제발신 차단과 휴대폰의 스팸 차단을 풀어 주세요. 온 번호를 연락처에 저장해 두시면 다음부터 걸러지지 않습니다. 이 번호로 답장은 보낼 수 없습니다.",
};

/**
 * The end that a create comes to which failed. No answer, a 5xx or one that cannot be read: the message may be out or
 * not. Creating a message is not idempotent at Twilio, so it is looked for before it is sent again.
 */
function endOf(error: unknown): AttemptResult {
  const { status, code, notBefore, message } =
    error instanceof TwilioFault ? error : new TwilioFault("no answer");
  if (status < 300 || status >= 500 || status === 408) {
    const advice = `Twilio가 응답하지 않습니다(${status || "연결"}). 서버의 인터넷 연결과 Twilio의 장애 공지를 확인해 주세요.`;
    const told = `Twilio gave ${message}, the message may have been sent`;
    return { outcome: "unknown", fault: { error: told, advice, about: "channel" } };
  }
  const outcome = isForNow(status, code) ? "not-sent" : "rejected";
  const told = outcome === "not-sent" ? "Twilio takes no more for now" : "Twilio refuses";
  const meaning = refusalOf(status, code);
  return { outcome, notBefore, fault: { error: `${told} (${message})`, ...meaning } };
}

/** A question that Twilio did not answer says nothing about the message. */
function unanswered(error: unknown): AttemptResult {
  return { outcome: "unknown", fault: endOf(error).fault };
}

/**
 * Where a message stands, by Twilio's statuses: `accepted`, `scheduled`, `queued` and `sending` are with
 * Twilio, `sent` is with the channel, the others are final.
 * https://www.twilio.com/docs/messaging/api/message-resource#message-status-values
 */
function standingOf({ sid, status, error_code }: TwilioMessage): AttemptResult {
  if (status === "delivered" || status === "read") return { outcome: "delivered", providerId: sid };
  if (status === "undelivered" || status === "failed" || status === "canceled") {
    const code = error_code ?? undefined;
    const error = `Twilio reports the message ${status} (code ${code ?? "none"})`;
    return { outcome: "rejected", providerId: sid, fault: { error, ...failureOf(code) } };
  }
  return { outcome: "accepted", providerId: sid, hasLeftProvider: status === "sent" };
}

function textOf(message: OwnerMessage): string {
  switch (message.kind) {
    case "application":
      return smsOf(message.application, message.insteadOf).text;
    case "alarm":
    case "test":
      return smsNotice(message.text);
    case "weekly":
    case "witness":
      return smsNotice(summaryText(message));
    case "digest": {
      const numbers = message.applications.map((each) => formatApplicationId(each.applicationId));
      return smsNotice(`운전연수 신청 ${numbers.length}건: ${numbers.join(", ")}`);
    }
  }
}

const GROUP = `[${APPLICATION_ID_ALPHABET}]{4}`;
const NUMBER = new RegExp(`${GROUP}-${GROUP}`, "g");

/** The number of the application that a text brings: the last in it, for it may name an earlier one. */
const numberIn = (body: string) => body.match(NUMBER)?.at(-1);

/** The SMS channel: one message per number of the owner's, each with its own end. */
export function openSms(config: SmsConfig, now = Date.now): Channel {
  const { sender } = config;
  const from =
    "from" in sender ? { From: sender.from } : { MessagingServiceSid: sender.messagingServiceSid };

  /**
   * The list begins with the newest, and is filtered by number only: Twilio's filter by day takes the day of
   * sending, and a message that is still in Twilio's queue has none.
   */
  async function find(
    sought: MessageQuery,
    signal: AbortSignal,
  ): Promise<TwilioMessage | undefined> {
    const number = formatApplicationId(sought.applicationId);
    const query = new URLSearchParams({ To: sought.recipient, PageSize: `${LISTED}` });
    let path: string | undefined = `/Messages.json?${query}`;
    while (path !== undefined) {
      const page: z.infer<typeof MESSAGES> = await askTwilio(config, MESSAGES, { path, signal });
      const found = page.messages.find(
        ({ sid, body }) => numberIn(body ?? "") === number && !sought.exceptIds.includes(sid),
      );
      const oldest = Date.parse(page.messages.at(-1)?.date_created ?? "");
      if (found || oldest < sought.since - CLOCK_TOLERANCE_MS) return found;
      path = page.next_page_uri?.split(config.accountSid)[1];
    }
    return undefined;
  }

  return {
    recipients: [...new Set(config.to)],
    timeoutMs: MINUTE,
    segments: (message) => segmentsOf(textOf(message)),
    isShortened: (message) =>
      message.kind === "application" && smsOf(message.application, message.insteadOf).shortened,
    async transmit(message, recipients, { signal, beforeTransmit = async () => true }) {
      const common = { Body: textOf(message), ValidityPeriod: `${VALIDITY_PERIOD_S}`, ...from };
      if (!(await beforeTransmit()))
        return recipients.map(() => ({ outcome: "not-sent" }) as const);
      const attempts = recipients.map((to) => {
        const asking = { path: "/Messages.json", form: { To: to, ...common }, signal, now };
        return askTwilio(config, MESSAGE, asking).then(standingOf, endOf);
      });
      return Promise.all(attempts);
    },
    statusChecks: {
      findMessage: (sought, signal) =>
        find(sought, signal).then(
          (found) => (found ? standingOf(found) : { outcome: "absent" }),
          unanswered,
        ),
      fetchStatus: (providerId, signal) =>
        askTwilio(config, MESSAGE, { path: `/Messages/${providerId}.json`, signal }).then(
          standingOf,
          unanswered,
        ),
    },
  };
}

/**
 * What changes by itself: the login, the account, its balance. What is set up once (numbers, countries, a trial's
 * verified numbers) is tried by `test-send sms`.
 */
async function diagnoseSms(config: SmsConfig): Promise<Finding[]> {
  const signal = AbortSignal.timeout(EXAMINATION_LIMIT_MS);
  try {
    const account = await askTwilio(config, ACCOUNT, { path: ".json", signal });
    if (account.status !== "active") return [fault(SUSPENDED)];
    const trial = warn(
      "Twilio 체험 계정입니다. 인증한 번호로만 문자가 나가니, 정식 운영 전에 콘솔에서 계정을 전환해 주세요.",
    );
    const active = ok("Twilio에 로그인되고 계정이 활성 상태입니다.");
    return [account.type === "Trial" ? trial : active, ...(await balance(config, signal))];
  } catch (error) {
    const settings = error instanceof TwilioFault ? " (TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN)" : "";
    return [fault(`${endOf(error).fault?.advice}${settings}`)];
  }
}

/** A restricted key or a subaccount is not told its balance, and can send all the same. */
async function balance(config: SmsConfig, signal: AbortSignal): Promise<Finding[]> {
  const asked = askTwilio(config, BALANCE, { path: "/Balance.json", signal });
  const { balance, currency } = await asked.catch(() => ({ balance: undefined, currency: "" }));
  if (typeof balance !== "number") return [];
  const shown = `Twilio 잔액이 ${balance.toFixed(2)} ${currency ?? "USD"}`;
  if (balance >= LOW_BALANCE_USD) return [ok(`${shown}입니다.`)];
  return balance > 0
    ? [warn(`${shown}뿐입니다. Twilio 콘솔에서 충전하거나 자동 충전을 켜 주세요.`)]
    : [fault(`${shown}라서 문자가 나가지 않습니다. Twilio 콘솔에서 충전해 주세요.`)];
}
