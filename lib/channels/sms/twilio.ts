/** SMS to the owner, through Twilio. */
import type { z } from "zod";
import { APPLICATION_NUMBER, formatApplicationId } from "#lib/application/application-id.ts";
import type { MessageCarrier, OwnerMessage, SendEnd, Sought } from "#lib/channels/carrier.ts";
import { FOR_NOW, failureOf, refusalOf } from "#lib/channels/sms/codes.ts";
import { segmentsOf } from "#lib/channels/sms/segments.ts";
import { isSmsShortened, smsNotice, smsText } from "#lib/channels/sms/text.ts";
import {
  askTwilio,
  MESSAGE,
  MESSAGES,
  TWILIO_ORIGIN,
  TwilioFault,
  type TwilioMessage,
  UnreadableAnswer,
} from "#lib/channels/sms/twilio-api.ts";
import { summaryText, witnessText } from "#lib/channels/weekly-summary.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import type { SmsConfig } from "#lib/config.ts";

const MINUTE = 60_000;

/** How long Twilio may keep a message in its queue. Afterwards it says so, and we can send anew. */
const VALIDITY_PERIOD_S = 900;
/** Twilio's own client waits for as long. A shorter wait makes copies. */
const CREATE_LIMIT_MS = 30_000;
const LOOK_LIMIT_MS = 10_000;
/** A page of Twilio's list; its clock and ours may differ by some minutes. */
const LISTED = 1_000;
const CLOCK_TOLERANCE_MS = 10 * MINUTE;

/** The end that a refused or unanswered create comes to. */
function endOf(error: unknown): SendEnd {
  if (!(error instanceof TwilioFault)) return maybeSent(error);
  const { status, code, notBefore, said } = error;
  if (status >= 500 || status === 408) return maybeSent(error);
  const figures = `HTTP ${status}${code === undefined ? "" : `, code ${code}`}${said && `: ${said}`}`;
  if (status === 429 || (code !== undefined && FOR_NOW.includes(code))) {
    const advice =
      "Twilio가 지금은 문자를 더 받지 않습니다. 잠시 뒤 다시 보냅니다. 계속되면 Twilio 콘솔에서 발송 한도를 확인해 주세요.";
    const error = `Twilio takes no more for now (${figures})`;
    return { outcome: "unsent", notBefore, fault: { error, advice, about: "channel" } };
  }
  const fault = { error: `Twilio refuses (${figures})`, ...refusalOf(status, code) };
  return { outcome: "refused", fault };
}

/** What a question to Twilio failed with, in a Korean sentence or two for the owner. */
export function adviceOn(error: unknown): string {
  return endOf(error).fault?.advice ?? "";
}

/**
 * No answer, a 5xx or one that cannot be read: the message may be out or not. Creating a message is not
 * idempotent at Twilio, so it is looked for before it is sent again.
 */
function maybeSent(error: unknown): SendEnd {
  const told = error instanceof TwilioFault || error instanceof UnreadableAnswer;
  const what = error instanceof TwilioFault ? error.status : "연결";
  return {
    outcome: "unknown",
    fault: {
      error: `Twilio gave ${told ? error.message : "no answer"}, the message may have been sent`,
      advice: `Twilio가 응답하지 않습니다(${what}). 서버의 인터넷 연결과 Twilio의 장애 공지를 확인해 주세요.`,
      about: "channel",
    },
  };
}

/** A question that Twilio did not answer says nothing about the message. */
function unanswered(error: unknown): SendEnd {
  return { outcome: "unknown", fault: endOf(error).fault };
}

/**
 * Where a message stands, by Twilio's statuses: `accepted`, `scheduled`, `queued` and `sending` are with
 * Twilio, `sent` is with the carrier, the others are final.
 * https://www.twilio.com/docs/messaging/api/message-resource#message-status-values
 */
function standingOf({ sid, status, error_code }: TwilioMessage): SendEnd {
  if (status === "delivered" || status === "read") return { outcome: "delivered", providerId: sid };
  if (status === "undelivered" || status === "failed" || status === "canceled") {
    const code = error_code ?? undefined;
    const error = `Twilio reports the message ${status} (code ${code ?? "none"})`;
    return { outcome: "refused", providerId: sid, fault: { error, ...failureOf(code) } };
  }
  return { outcome: "accepted", providerId: sid, passedOn: status === "sent" };
}

function textOf(message: OwnerMessage): string {
  switch (message.kind) {
    case "application":
      return smsText(message.application, message.insteadOf);
    case "alarm":
    case "test":
      return smsNotice(message.text);
    case "weekly":
      return smsNotice(summaryText(message.summary, message.insteadOf));
    case "witness":
      return smsNotice(witnessText(message.summary));
    case "digest": {
      const numbers = message.applications.map((each) => formatApplicationId(each.applicationId));
      return smsNotice(`운전연수 신청 ${numbers.length}건: ${numbers.join(", ")}`);
    }
  }
}

/** The number of the application that a text brings: the last in it, for it may name an earlier one. */
function numberIn(body: string): string | undefined {
  return body.match(APPLICATION_NUMBER)?.at(-1);
}

/** The SMS carrier: one message per number of the owner's, each with its own end. */
export function openSms(config: SmsConfig, now: Clock = systemClock): MessageCarrier {
  const messages = `${TWILIO_ORIGIN}/2010-04-01/Accounts/${config.accountSid}/Messages`;
  const from =
    "from" in config.sender
      ? { From: config.sender.from }
      : { MessagingServiceSid: config.sender.messagingServiceSid };
  const look = (signal: AbortSignal) => ({ signal, now, limitMs: LOOK_LIMIT_MS });

  async function sendTo(to: string, body: string, signal: AbortSignal): Promise<SendEnd> {
    try {
      const form = { To: to, Body: body, ValidityPeriod: `${VALIDITY_PERIOD_S}`, ...from };
      const asking = { url: `${messages}.json`, form, signal, now, limitMs: CREATE_LIMIT_MS };
      return standingOf(await askTwilio(config, MESSAGE, asking));
    } catch (error) {
      return endOf(error);
    }
  }

  /**
   * The list begins with the newest, and is filtered by number only: Twilio's filter by day takes the day of
   * sending, and a message that is still in Twilio's queue has none.
   */
  async function messageOf(
    sought: Sought,
    signal: AbortSignal,
  ): Promise<TwilioMessage | undefined> {
    const number = formatApplicationId(sought.applicationId);
    const query = new URLSearchParams({ To: sought.recipient, PageSize: `${LISTED}` });
    let url: string | undefined = `${messages}.json?${query}`;
    while (url !== undefined) {
      const page: z.infer<typeof MESSAGES> = await askTwilio(config, MESSAGES, {
        url,
        ...look(signal),
      });
      const found = page.messages.find(
        ({ sid, body }) => numberIn(body ?? "") === number && !sought.exceptIds.includes(sid),
      );
      const oldest = Date.parse(page.messages.at(-1)?.date_created ?? "");
      const isPast = oldest < sought.since - CLOCK_TOLERANCE_MS;
      if (found) return found;
      url = page.next_page_uri && !isPast ? TWILIO_ORIGIN + page.next_page_uri : undefined;
    }
    return undefined;
  }

  return {
    recipients: [...new Set(config.to)],
    tryLimitMs: MINUTE,
    segments: (message) => segmentsOf(textOf(message)),
    shortens: (message) =>
      message.kind === "application" && isSmsShortened(message.application, message.insteadOf),
    async send(message, recipients, { signal, mayLeave = async () => true }) {
      const body = textOf(message);
      if (!(await mayLeave())) return recipients.map(() => ({ outcome: "unsent" }) as const);
      return Promise.all(recipients.map((to) => sendTo(to, body, signal)));
    },
    tracking: {
      async find(sought, signal) {
        try {
          const found = await messageOf(sought, signal);
          return found ? standingOf(found) : { outcome: "absent" };
        } catch (error) {
          return unanswered(error);
        }
      },
      async follow(providerId, signal) {
        try {
          const url = `${messages}/${encodeURIComponent(providerId)}.json`;
          return standingOf(await askTwilio(config, MESSAGE, { url, ...look(signal) }));
        } catch (error) {
          return unanswered(error);
        }
      },
    },
  };
}
