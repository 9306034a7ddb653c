/**
 * Twilio's error codes that decide something, https://www.twilio.com/docs/api/errors; those from 30001 on come with a
 * message that was taken and then not delivered. The codes for a wrong sender are those of July 2024,
 * https://www.twilio.com/en-us/changelog/updates-to-the-error-code-dictionary-to-clarify-number-validatio
 */
import type { Fault } from "#lib/channels/carrier.ts";

type Meaning = Pick<Fault, "about" | "advice">;

const OWNER_NUMBER = "받는 번호 설정을 확인해 주세요.";
const SENDER = "보내는 번호 설정을 확인해 주세요.";
const CONSOLE = "Twilio 콘솔에서 계정 상태와 잔액을 확인해 주세요.";

const ACCOUNT: Meaning = {
  about: "channel",
  advice: `Twilio 계정이 정지되었거나 잔액이 없습니다. ${CONSOLE}`,
};
const BAD_SENDER: Meaning = {
  about: "channel",
  advice: `보내는 번호로는 문자를 보낼 수 없습니다. ${SENDER}`,
};
const BAD_SERVICE: Meaning = {
  about: "channel",
  advice: `메시징 서비스에 쓸 수 있는 보내는 번호가 없습니다. ${SENDER}`,
};
const BAD_NUMBER: Meaning = {
  about: "recipient",
  advice: `받는 번호가 문자를 받을 수 있는 휴대폰 번호가 아닙니다. ${OWNER_NUMBER}`,
};

export const TWILIO_CODES: Readonly<Record<number, Meaning>> = {
  10001: ACCOUNT,
  20003: {
    about: "channel",
    advice:
      "Twilio 로그인이 거부되었습니다. 계정 번호(SID)와 인증 토큰 설정, 계정이 정지되지 않았는지를 확인해 주세요.",
  },
  20005: ACCOUNT,
  20403: ACCOUNT,
  21211: BAD_NUMBER,
  21212: BAD_SENDER,
  21266: {
    about: "channel",
    advice: `보내는 번호와 받는 번호가 같습니다. ${SENDER}`,
  },
  21408: {
    about: "channel",
    advice: "Twilio 콘솔의 Geo permissions에서 한국으로 보내는 문자를 허용해 주세요.",
  },
  21606: BAD_SENDER,
  21608: {
    about: "recipient",
    advice:
      "Twilio 계정이 인증한 번호로만 보낼 수 있습니다. Twilio 콘솔에서 받는 번호를 인증하거나 정식 계정으로 전환해 주세요.",
  },
  // Korea is one-way: a START cannot be sent.
  21610: {
    about: "recipient",
    advice: "받는 번호가 수신 거부로 등록되어 있습니다. Twilio 고객 지원에 해제를 요청해 주세요.",
  },
  21611: {
    about: "channel",
    advice: `Twilio에 보낼 문자가 밀려 있습니다. 잠시 뒤 다시 보냅니다. 계속되면 ${CONSOLE}`,
  },
  21612: {
    about: "recipient",
    advice: `이 발신번호로는 받는 번호에 보낼 수 없습니다. ${SENDER}`,
  },
  21614: BAD_NUMBER,
  21617: { about: "message", advice: "문자가 너무 깁니다. 관리자에게 알려 주세요." },
  21635: BAD_NUMBER,
  21659: BAD_SENDER,
  21660: {
    about: "channel",
    advice: `보내는 번호가 이 Twilio 계정의 번호가 아닙니다. ${SENDER}`,
  },
  21661: BAD_SENDER,
  21701: BAD_SERVICE,
  21703: BAD_SERVICE,
  21704: BAD_SERVICE,
  21705: BAD_SERVICE,
  30002: ACCOUNT,
  30003: {
    about: "recipient",
    advice: "휴대폰이 꺼져 있거나 신호가 없습니다. 받는 휴대폰을 확인해 주세요.",
  },
  30004: {
    about: "recipient",
    advice:
      "휴대폰이나 통신사가 문자를 막았습니다. 국제발신 차단과 수신 차단 목록을 확인해 주세요.",
  },
  30005: { about: "recipient", advice: `통신사에 없는 번호입니다. ${OWNER_NUMBER}` },
  30006: BAD_NUMBER,
  30007: {
    about: "recipient",
    advice:
      "통신사가 문자를 스팸으로 걸렀습니다. 휴대폰의 스팸함과 통신사의 스팸 차단 서비스를 확인해 주세요.",
  },
  30036: {
    about: "channel",
    advice: `문자가 Twilio에서 15분 안에 나가지 못했습니다. 계속되면 ${CONSOLE}`,
  },
};

/** Always safe to try again, https://www.twilio.com/docs/api/errors/20429 and …/21611 */
export const FOR_NOW: readonly number[] = [20429, 21611];

/** A create that Twilio refused: a code that nobody knows is no fault of the owner's number. */
export function refusalOf(status: number, code: number | undefined): Meaning {
  const advice =
    status === 401 || status === 403 || status === 404
      ? "Twilio가 요청을 거부합니다. 계정 번호(SID)와 인증 토큰 설정을 확인해 주세요."
      : `Twilio가 문자를 거부했습니다(오류 ${code ?? status}). ${CONSOLE}`;
  return TWILIO_CODES[code ?? 0] ?? { about: "channel", advice };
}

/** A message that Twilio took, and that did not arrive. */
export function failureOf(code: number | undefined): Meaning {
  const advice = `문자가 휴대폰에 전달되지 않았습니다(오류 ${code ?? "없음"}). 받는 휴대폰과 국제발신 차단을 확인해 주세요.`;
  return TWILIO_CODES[code ?? 0] ?? { about: "recipient", advice };
}
