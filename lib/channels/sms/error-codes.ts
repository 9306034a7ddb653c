/**
 * Twilio's error codes: what each means for a delivery, and what the owner can do. Each is described at
 * https://www.twilio.com/docs/api/errors/<code>; those from 30003 on come with a message that was taken
 * and then not delivered, https://www.twilio.com/docs/messaging/guides/debugging-common-issues
 */
interface CodeMeaning {
  /** What does not work any more: the channel for everything, or this number of the owner's. */
  dead: "channel" | "recipient";
  /** For the log. */
  says: string;
  /** For the owner. */
  advice: string;
}

const LOGIN = "Twilio 계정 번호(SID)와 인증 토큰 설정을 확인해 주세요.";
const CONSOLE = "Twilio 콘솔에서 계정 상태와 잔액을 확인해 주세요.";
const OWNER_NUMBER = "받는 번호 설정을 확인해 주세요.";
const SENDER = "보내는 번호 설정을 확인해 주세요.";

export const TWILIO_CODES: Readonly<Record<number, CodeMeaning>> = {
  10001: {
    dead: "channel",
    says: "the account is not active",
    advice: `Twilio 계정이 활성 상태가 아닙니다. ${CONSOLE}`,
  },
  20003: {
    dead: "channel",
    says: "the account SID or the auth token is wrong",
    advice: `Twilio 로그인이 거부되었습니다. ${LOGIN}`,
  },
  20403: {
    dead: "channel",
    says: "the account may not do this",
    advice: `Twilio 계정에 문자를 보낼 권한이 없습니다. ${CONSOLE}`,
  },
  20404: {
    dead: "channel",
    says: "the account SID is unknown",
    advice: `Twilio가 계정을 찾지 못합니다. ${LOGIN}`,
  },
  21211: {
    dead: "recipient",
    says: "SMS_TO is not a valid number",
    advice: `받는 번호가 올바르지 않습니다. ${OWNER_NUMBER}`,
  },
  21212: {
    dead: "channel",
    says: "TWILIO_FROM is not a valid number",
    advice: `보내는 번호가 올바르지 않습니다. ${SENDER}`,
  },
  21408: {
    dead: "channel",
    says: "SMS to the country of SMS_TO is not enabled",
    advice: "Twilio 콘솔의 Geo permissions에서 한국으로 보내는 문자를 허용해 주세요.",
  },
  21606: {
    dead: "channel",
    says: "TWILIO_FROM cannot send SMS to SMS_TO",
    advice: `보내는 번호로는 문자를 보낼 수 없습니다. ${SENDER}`,
  },
  21608: {
    dead: "recipient",
    says: "a trial account sends only to verified numbers",
    advice:
      "체험 계정은 인증한 번호로만 보냅니다. Twilio 콘솔에서 번호를 인증하거나 계정을 전환해 주세요.",
  },
  21610: {
    dead: "recipient",
    says: "the owner's phone has unsubscribed with STOP",
    advice:
      "받는 번호가 STOP으로 수신을 거부했습니다. 그 휴대폰에서 보내는 번호로 START를 보내 주세요.",
  },
  21612: {
    dead: "recipient",
    says: "there is no route from the sender to SMS_TO",
    advice: `이 발신번호로는 받는 번호에 보낼 수 없습니다. ${SENDER}`,
  },
  21614: {
    dead: "recipient",
    says: "SMS_TO is not a mobile number",
    advice: `받는 번호가 휴대폰 번호가 아닙니다. ${OWNER_NUMBER}`,
  },
  21617: {
    dead: "recipient",
    says: "the message is too long",
    advice: "문자가 너무 깁니다. 관리자에게 알려 주세요.",
  },
  21703: {
    dead: "channel",
    says: "the messaging service has no sender",
    advice: `메시징 서비스에 보내는 번호가 없습니다. ${SENDER}`,
  },
  21705: {
    dead: "channel",
    says: "the messaging service SID is unknown",
    advice: `메시징 서비스를 찾지 못합니다. ${SENDER}`,
  },
  30002: {
    dead: "channel",
    says: "the account is suspended",
    advice: `Twilio 계정이 정지되었습니다. ${CONSOLE}`,
  },
  30003: {
    dead: "recipient",
    says: "the owner's phone cannot be reached",
    advice: "휴대폰이 꺼져 있거나 신호가 없습니다. 받는 휴대폰을 확인해 주세요.",
  },
  30004: {
    dead: "recipient",
    says: "the owner's phone or carrier blocks the message",
    advice: "휴대폰이나 통신사가 문자를 막았습니다. 수신 차단 목록을 확인해 주세요.",
  },
  30005: {
    dead: "recipient",
    says: "the owner's number is unknown to its carrier",
    advice: `통신사에 없는 번호입니다. ${OWNER_NUMBER}`,
  },
  30006: {
    dead: "recipient",
    says: "SMS_TO is a landline or its carrier cannot be reached",
    advice: `받는 번호로는 문자를 받을 수 없습니다. ${OWNER_NUMBER}`,
  },
  30007: {
    dead: "recipient",
    says: "the carrier filtered the message as spam",
    advice: "통신사가 문자를 스팸으로 걸렀습니다. Twilio 콘솔에서 발신번호 등록을 확인해 주세요.",
  },
};

/** Always safe to try again, https://www.twilio.com/docs/api/errors/20429 */
export const TOO_MANY_REQUESTS = 20429;

/** A refusal with this code and HTTP status. A code that is not in the table is judged by its status. */
export function refusalOf(status: number | undefined, code: number | undefined): CodeMeaning {
  const known = code === undefined ? undefined : TWILIO_CODES[code];
  if (known) return known;
  const login = status === 401 || status === 403 || status === 404;
  return {
    dead: login ? "channel" : "recipient",
    says: "see its code",
    advice: login
      ? `Twilio가 요청을 거부합니다. ${LOGIN}`
      : `Twilio가 문자를 거부했습니다(오류 ${code ?? status ?? "없음"}). ${CONSOLE}`,
  };
}
