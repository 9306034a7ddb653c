import type { AccountContext } from "twilio/lib/rest/api/v2010/account.js";
import { APPLICATION_ID_ALPHABET, formatApplicationId } from "#lib/application/application-id.ts";
import { MINUTE, SECOND } from "#lib/application/durations.ts";
import { formatPhone } from "#lib/application/phone.ts";
import type {
  Channel,
  ChannelDefinition,
  MessageContent,
  MessageSearch,
} from "#lib/channels/channel.ts";
import { redactProviderText } from "#lib/channels/provider-text.ts";
import {
  explainRequestError,
  explainUndelivered,
  isSafeToRetry,
  SUSPENDED_ACCOUNT_ADVICE,
} from "#lib/channels/sms/error-codes.ts";
import { countSegments } from "#lib/channels/sms/segments.ts";
import { composeApplicationSms, fitIntoSms } from "#lib/channels/sms/text.ts";
import {
  createTwilioClient,
  isNotSent,
  TwilioError,
  unusableResponseError,
} from "#lib/channels/sms/twilio-client.ts";
import { weeklySms } from "#lib/channels/weekly-summary.ts";
import type { SmsConfig } from "#lib/config.ts";
import { errorCode } from "#lib/error-code.ts";
import { type Finding, findingCreators } from "#lib/finding.ts";
import type { Answer, SearchAnswer } from "#lib/storage/outcomes.ts";

const { ok, warn, fault } = findingCreators("sms");

/** Time that a text may wait in Twilio's queue. Then Twilio reports error 30036, and the text can be sent again. */
const VALIDITY_PERIOD_S = 900;
const PAGE_SIZE = 1_000;
/** A list with more pages than this is taken for one that Twilio repeats without end. */
const MAX_PAGES = 50;
const CLOCK_TOLERANCE_MS = 10 * MINUTE;
/** The doctor warns below this balance, which pays for about a hundred segments to Korea. */
const LOW_BALANCE_USD = 5;
const DIAGNOSIS_TIMEOUT_MS = 20 * SECOND;
const TRIAL_ADVICE =
  "Twilio 체험 계정으로는 신청 문자가 나가지 않습니다. 콘솔에서 정식 계정으로 전환하고 Trust Hub의 본인 확인을 마쳐 주세요.";

export const smsDefinition: ChannelDefinition = {
  settingNames:
    "SMS_TO, TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM(또는 TWILIO_MESSAGING_SERVICE_SID)",
  open: ({ sms: own }) => own && openSmsChannel(own),
  diagnose: async ({ sms: own }) => own && diagnoseSms(own),
  deliveredWords: "문자가 휴대폰에 도착했습니다.",
  whereKept: "휴대폰, Twilio의 기록",
  whereToLook:
    "휴대폰에서 확인해 주세요. 문자 앞에는 [국제발신]이나 [Web발신]이, 번호 앞에는 006이나 009가 붙습니다. 보이지 않으면 스팸 보관함을 열어 보시고, 통신사의 국제발신 차단과 휴대폰의 스팸 차단을 풀어 주세요. 온 번호를 연락처에 저장해 두시면 다음부터 걸러지지 않습니다. 이 번호로 답장은 보낼 수 없습니다.",
};

/** The message may have been sent if a request that has left gets a 408, a 5xx or no valid answer. */
function answerOfError(error: unknown): Answer {
  const twilioError = error instanceof TwilioError ? error : undefined;
  const isClear = ({ status }: TwilioError) => status >= 300 && status < 500 && status !== 408;
  if (!twilioError || !isClear(twilioError)) {
    const advice = `Twilio가 응답하지 않습니다(${twilioError?.status ?? (errorCode(error) || "연결")}). 서버의 인터넷 연결과 Twilio의 장애 공지를 확인해 주세요.`;
    const unanswered = `Twilio gave ${twilioError?.message ?? "no answer"}, the message may have been sent`;
    const cause = isNotSent(error)
      ? "Twilio cannot be reached, the request has not left"
      : unanswered;
    const outcome = isNotSent(error) ? "not-sent" : "unknown";
    return { outcome, fault: { error: cause, advice, about: "channel" } };
  }
  const { status, code, words, notBefore, message } = twilioError;
  const outcome = isSafeToRetry(status, code) ? "not-sent" : "rejected";
  const cause = outcome === "not-sent" ? "Twilio takes no more for now" : "Twilio refuses";
  const fault = { error: `${cause} (${message})`, ...explainRequestError(status, code, words) };
  return { outcome, notBefore, fault };
}

const unknownAnswer = (error: unknown): Answer => ({
  outcome: "unknown",
  fault: answerOfError(error).fault,
});

/** A message as the API returns it, not as Twilio's types describe it. */
interface TwilioMessage {
  sid: string | null | undefined;
  status: string | null;
  errorCode: number | null;
  errorMessage: string | null;
  body: string | null;
  dateCreated: Date | string | null;
}

/** Statuses: https://www.twilio.com/docs/messaging/api/message-resource#message-status-values */
function answerOfMessage(message: TwilioMessage): Answer {
  const { sid, status, errorCode, errorMessage, body } = message;
  // The status of a message without a SID could not be checked.
  if (!sid) return answerOfError(unusableResponseError());
  if (status === "delivered" || status === "read") return { outcome: "delivered", providerId: sid };
  if (status === "undelivered" || status === "failed" || status === "canceled") {
    const code = errorCode ?? undefined;
    const error = `Twilio reports the message ${status} (code ${code ?? "none"})`;
    const words = redactProviderText(errorMessage ?? "", body ?? "");
    const fault = { error, ...explainUndelivered(code, words) };
    return { outcome: "rejected", providerId: sid, fault };
  }
  return { outcome: "accepted", providerId: sid, hasLeftProvider: status === "sent" };
}

function composeSmsBody(message: MessageContent): string {
  if ("application" in message)
    return composeApplicationSms(message.application, message.insteadOf).text;
  return fitIntoSms("summary" in message ? weeklySms(message.summary) : message.text);
}

const NUMBER_GROUP = `[${APPLICATION_ID_ALPHABET}]{4}`;
const APPLICATION_NUMBER_PATTERN = new RegExp(`${NUMBER_GROUP}-${NUMBER_GROUP}`, "g");

/** The last number in a text is that of its application. An earlier line may name another application. */
const lastApplicationNumber = (body: string) => body.match(APPLICATION_NUMBER_PATTERN)?.at(-1);

export function openSmsChannel(config: SmsConfig, now = Date.now): Channel {
  const { sender, to } = config;
  return {
    recipients: [...new Set(to)],
    slots: 8,
    timeoutMs: MINUTE,
    segments: (message) => countSegments(composeSmsBody(message)),
    isShortened: (message) =>
      "application" in message &&
      composeApplicationSms(message.application, message.insteadOf).isShortened,
    async transmit(message, recipient, { signal, beforeTransmit = async () => true }) {
      const text = { body: composeSmsBody(message), validityPeriod: VALIDITY_PERIOD_S, ...sender };
      if (!(await beforeTransmit())) return { outcome: "not-sent" };
      const { messages } = createTwilioClient(config, signal, now);
      return messages.create({ to: recipient, ...text }).then(answerOfMessage, answerOfError);
    },
    statusChecks: {
      searchForMessage: (query, signal) => searchList(config, query, signal).catch(unknownAnswer),
      fetchStatus(providerId, signal) {
        const message = createTwilioClient(config, signal).messages(providerId);
        return message.fetch().then(answerOfMessage, unknownAnswer);
      },
    },
  };
}

/** Twilio may have redacted the body of the text that is searched for. */
const REDACTED_BODY_ANSWER: Answer = {
  outcome: "unknown",
  fault: {
    error: "Twilio's list has a text without its body",
    advice:
      "Twilio가 문자 내용을 보관하지 않아 문자가 갔는지 알 수 없습니다. 휴대폰에서 문자를 확인하고, Twilio 콘솔에서 문자 내용을 보관하도록 설정해 주세요.",
    about: "channel",
  },
};

/** Twilio lists the newest message first. Its filter by day of sending would miss queued messages. */
async function searchList(
  config: SmsConfig,
  { applicationId, recipient, begunAt, exceptIds }: MessageSearch,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const number = formatApplicationId(applicationId);
  const earliest = begunAt - CLOCK_TOLERANCE_MS;
  let isUncertain = false;
  const list = createTwilioClient(config, signal).messages;
  let page = await list.page({ to: recipient, pageSize: PAGE_SIZE });
  for (let pages = 1; ; pages++) {
    const messages: TwilioMessage[] = page.instances;
    const others = messages.filter(({ sid }) => !exceptIds.includes(sid ?? ""));
    const found = others.find(({ body }) => lastApplicationNumber(body ?? "") === number);
    if (found) return answerOfMessage(found);
    isUncertain ||= others.some((each) => !each.body && !(createdAt(each) < earliest));
    const last = messages.at(-1);
    if (!page.nextPageUrl || (last && createdAt(last) < earliest))
      return isUncertain ? REDACTED_BODY_ANSWER : { outcome: "absent" };
    if (pages === MAX_PAGES) throw unusableResponseError();
    page = await list.getPage(page.nextPageUrl);
  }
}

const createdAt = ({ dateCreated }: TwilioMessage) => new Date(dateCreated ?? Number.NaN).getTime();

/** Checks login, account, balance and sender. Only `test-send sms` can check countries and verified numbers. */
async function diagnoseSms(config: SmsConfig): Promise<Finding[]> {
  const { api, balance } = createTwilioClient(config, AbortSignal.timeout(DIAGNOSIS_TIMEOUT_MS));
  const accountContext = api.v2010.accounts(config.accountSid);
  try {
    const account = await accountContext.fetch();
    if (account.status !== "active") return [fault(SUSPENDED_ACCOUNT_ADVICE)];
    const active = ok("Twilio에 로그인되고 계정이 활성 상태입니다.");
    // A restricted key or a subaccount cannot read the balance, but can send.
    const funds = await balance.fetch().then(balanceFindings, () => []);
    const sender = await senderFindings(config, accountContext);
    return [account.type === "Trial" ? fault(TRIAL_ADVICE) : active, ...funds, ...sender];
  } catch (error) {
    const settings = error instanceof TwilioError ? " (TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN)" : "";
    return [fault(`${answerOfError(error).fault?.advice}${settings}`)];
  }
}

/** A restricted key may be unable to list the account's numbers, and then gives no finding. */
async function senderFindings({ sender }: SmsConfig, { incomingPhoneNumbers }: AccountContext) {
  if (!("from" in sender)) return [];
  const { from: phoneNumber } = sender;
  const found = await incomingPhoneNumbers.list({ phoneNumber, limit: 1 }).catch(() => undefined);
  if (found === undefined || found.length > 0) return [];
  const sentence = `보내는 번호(TWILIO_FROM) ${formatPhone(phoneNumber)} 번호가 이 Twilio 계정에 없습니다. 콘솔의 Phone Numbers에 있는 번호를 넣어 주세요.`;
  return [fault(sentence)];
}

function balanceFindings({ balance, currency }: Record<"balance" | "currency", string | null>) {
  const amount = Number.parseFloat(balance ?? "");
  if (Number.isNaN(amount)) return [];
  const shown = `Twilio 잔액이 ${amount.toFixed(2)} ${currency ?? "USD"}`;
  if (amount >= LOW_BALANCE_USD) return [ok(`${shown}입니다.`)];
  return amount > 0
    ? [warn(`${shown}뿐입니다. Twilio 콘솔에서 충전하거나 자동 충전을 켜 주세요.`)]
    : [fault(`${shown}라서 문자가 나가지 않습니다. Twilio 콘솔에서 충전해 주세요.`)];
}
