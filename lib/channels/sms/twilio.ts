/** SMS to the owner, through Twilio. */
import { formatApplicationId } from "#lib/application/application-id.ts";
import type { MessageChannel, SendOutcome, TextableMessage } from "#lib/channels/channel.ts";
import { refusalOf, TOO_MANY_REQUESTS } from "#lib/channels/sms/error-codes.ts";
import { smsNotice, smsText } from "#lib/channels/sms/text.ts";
import {
  askTwilio,
  MESSAGE,
  MESSAGES,
  TWILIO_ORIGIN,
  TwilioFault,
  type TwilioMessage,
  UnreadableAnswer,
} from "#lib/channels/sms/twilio-api.ts";
import { summaryText } from "#lib/channels/weekly-summary.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import type { SmsConfig } from "#lib/config.ts";

/** How long Twilio may keep a message in its queue. Afterwards it says so, and we can send anew. */
const VALIDITY_PERIOD_S = 900;
/** Each number is one request of 10 s at most, and all go at once. */
const TRY_LIMIT_MS = 60_000;
/** More than the owner's numbers can get in a day under any sensible cap; Twilio's page is at most 1,000. */
const LISTED = 1_000;

function outcomeOf(error: unknown): SendOutcome {
  if (!(error instanceof TwilioFault)) return maybeSent(error);
  if (error.status >= 500 || error.status === 408) return maybeSent(error);
  const { status, code, notBefore } = error;
  if (status === 429 || code === TOO_MANY_REQUESTS) {
    return {
      outcome: "retry",
      error: "Twilio takes no more for now (429)",
      advice:
        "Twilio가 지금은 문자를 더 받지 않습니다. 계속되면 Twilio 콘솔에서 발송 한도를 확인해 주세요.",
      ...(notBefore === undefined ? {} : { notBefore }),
    };
  }
  return refused(status, code);
}

/** What a request to Twilio failed with, in a Korean sentence or two for the owner. */
export function adviceOn(error: unknown): string {
  const outcome = outcomeOf(error);
  return "advice" in outcome ? outcome.advice : "";
}

/** Whether Twilio itself said no, with this status. */
export function isRefusal(error: unknown, status: number): boolean {
  return error instanceof TwilioFault && error.status === status;
}

function refused(
  status: number | undefined,
  code: number | undefined,
  providerId?: string,
): SendOutcome {
  const { dead, says, advice } = refusalOf(status, code);
  const figures = [status && `HTTP ${status}`, code && `code ${code}`].filter(Boolean).join(", ");
  const error = `Twilio refuses: ${says} (${figures || "no code"})`;
  return { outcome: "refused", dead, error, advice, ...(providerId ? { providerId } : {}) };
}

/**
 * No answer, a 5xx or one that cannot be read: the message may be out or not. Creating a message is not
 * idempotent at Twilio, so it is looked for before it is sent again.
 */
function maybeSent(error: unknown): SendOutcome {
  const told = error instanceof TwilioFault || error instanceof UnreadableAnswer;
  const what = told ? error.message : "no answer";
  return {
    outcome: "unknown",
    error: `Twilio gave ${what}, the message may have been sent`,
    advice: `Twilio가 응답하지 않습니다(${error instanceof TwilioFault ? error.status : "연결"}). 서버의 인터넷 연결과 Twilio의 장애 공지를 확인해 주세요.`,
  };
}

/**
 * Where a message stands, by Twilio's statuses: `accepted`, `scheduled`, `queued` and `sending` are with
 * Twilio, `sent` is with the carrier, the others are final.
 * https://www.twilio.com/docs/messaging/api/message-resource#message-status-values
 */
function standingOf({ sid, status, error_code }: TwilioMessage): SendOutcome {
  if (status === "delivered" || status === "read") return { outcome: "delivered", providerId: sid };
  if (status === "undelivered" || status === "failed" || status === "canceled") {
    return refused(undefined, error_code ?? undefined, sid);
  }
  return { outcome: "accepted", providerId: sid, passedOn: status === "sent" };
}

function textOf(message: TextableMessage): string {
  switch (message.kind) {
    case "application":
      return smsText(message.application, message.insteadOf);
    case "alarm":
    case "test":
      return smsNotice(message.text);
    case "weekly":
      return smsNotice(summaryText(message.summary, message.insteadOf));
  }
}

/** The SMS channel: one message per number of the owner's, each with its own outcome. */
export function openSmsChannel(
  config: SmsConfig,
  now: Clock = systemClock,
): MessageChannel<TextableMessage> {
  const messages = `${TWILIO_ORIGIN}/2010-04-01/Accounts/${config.accountSid}/Messages`;
  const from =
    "from" in config.sender
      ? { From: config.sender.from }
      : { MessagingServiceSid: config.sender.messagingServiceSid };

  async function sendTo(to: string, body: string, signal: AbortSignal): Promise<SendOutcome> {
    try {
      const form = { To: to, Body: body, ValidityPeriod: `${VALIDITY_PERIOD_S}`, ...from };
      const asking = { url: `${messages}.json`, form, signal, now };
      return standingOf(await askTwilio(config, MESSAGE, asking));
    } catch (error) {
      return outcomeOf(error);
    }
  }

  return {
    recipients: config.to,
    tryLimitMs: TRY_LIMIT_MS,
    async send(message, recipients, { signal, mayLeave = async () => true }) {
      const body = textOf(message);
      if (!(await mayLeave())) return recipients.map(() => ({ outcome: "held" }) as const);
      return Promise.all(recipients.map((to) => sendTo(to, body, signal)));
    },
    tracking: {
      /**
       * The list begins with the newest. It is filtered by number only: Twilio's filter by day takes the day of
       * sending, and a message that is still in Twilio's queue has none.
       */
      async find({ applicationId, recipient, exceptId }, signal) {
        try {
          const query = new URLSearchParams({ To: recipient, PageSize: `${LISTED}` });
          const url = `${messages}.json?${query}`;
          const page = await askTwilio(config, MESSAGES, { url, signal, now });
          const number = formatApplicationId(applicationId);
          const found = page.messages.find(
            ({ sid, body }) => sid !== exceptId && body?.includes(number),
          );
          return found ? standingOf(found) : { outcome: "absent" };
        } catch (error) {
          return outcomeOf(error);
        }
      },
      async follow(providerId, signal) {
        try {
          const url = `${messages}/${encodeURIComponent(providerId)}.json`;
          return standingOf(await askTwilio(config, MESSAGE, { url, signal, now }));
        } catch (error) {
          return outcomeOf(error);
        }
      },
    },
    async close() {},
  };
}
