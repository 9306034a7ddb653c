/**
 * Twilio's error codes, https://www.twilio.com/docs/api/errors. Codes from 30001 on are about a message that Twilio had
 * accepted. An unlisted code counts as a fault of the channel whose cause is unknown. Codes for a wrong sender, as of
 * July 2024: https://www.twilio.com/en-us/changelog/updates-to-the-error-code-dictionary-to-clarify-number-validatio
 */
import { withProviderWords } from "#lib/channels/provider-text.ts";
import type { Fault } from "#lib/storage/outcomes.ts";

type Explanation = Pick<Fault, "about" | "advice">;

const CONSOLE_ADVICE = "Twilio 콘솔에서 계정 상태와 잔액을 확인해 주세요.";
export const SUSPENDED_ACCOUNT_ADVICE = `Twilio 계정이 정지되었거나 잔액이 없습니다. ${CONSOLE_ADVICE}`;

const UNKNOWN_CAUSE_ADVICE = `정확한 이유는 알 수 없습니다. Twilio 콘솔에서 이 오류와 계정의 상태, 잔액을 확인해 주세요.`;

/** The status of a proxy on the way to Twilio that asks for a login. Twilio has received nothing. */
const PROXY_LOGIN_STATUS = 407;

/** `about` is the channel by default. */
const EXPLANATIONS: readonly [codes: number[], advice: string, about?: Fault["about"]][] = [
  [
    [20003],
    "Twilio가 이 계정의 요청을 거부했습니다. 계정 번호(SID)와 인증 토큰이 맞는지, 계정이 정지되지 않았는지, Twilio 콘솔의 Trust Hub에서 본인 확인이 승인되었는지 확인해 주세요.",
  ],
  [[10001, 20005, 20403, 30002], SUSPENDED_ACCOUNT_ADVICE],
  [
    [PROXY_LOGIN_STATUS],
    "서버가 인터넷으로 나가는 프록시(HTTP_PROXY)가 로그인을 요구해 Twilio에 닿지 못합니다. 프록시 설정을 확인해 주세요.",
  ],
  [
    [301, 302, 303, 307, 308],
    "Twilio로 가는 요청을 다른 서버가 다른 주소로 돌려보냅니다. 프록시와 TWILIO_API_URL 설정을 확인해 주세요.",
  ],
  [
    [
      ...[21212, 21266, 21606, 21612, 21657, 21659, 21660, 21661, 21701, 21703, 21704, 21705],
      ...[30018, 30024, 30032, 30034, 30035, 30037, 30040, 30042, 30043],
    ],
    "이 보내는 번호나 메시징 서비스로는 문자를 보낼 수 없습니다. 보내는 번호 설정을 확인해 주세요.",
  ],
  [[21408], "Twilio 콘솔의 Geo permissions에서 한국으로 보내는 문자를 허용해 주세요."],
  [
    [429, 20429, 21611, 30001, 30022],
    `Twilio가 지금은 문자를 더 받지 않습니다. 잠시 뒤 다시 보냅니다. 계속되면 ${CONSOLE_ADVICE}`,
  ],
  [
    [30454, 60728, 63038],
    "Twilio 계정의 발송 한도를 넘었습니다. 한도가 풀리면 다시 보냅니다. Twilio 콘솔에서 한도를 늘려 주세요.",
  ],
  [
    [10002, 30044, 572006],
    "Twilio 체험 계정으로는 신청 문자가 나가지 않습니다. Twilio 콘솔에서 정식 계정으로 전환해 주세요.",
  ],
  [
    [30017, 30021, 30036, 30410],
    `문자가 Twilio에서 통신사로 제때 나가지 못했습니다. 계속되면 ${CONSOLE_ADVICE}`,
  ],
  [
    [21211, 21614, 21635, 30005, 30006],
    "받는 번호가 이 문자를 받을 수 있는 휴대폰 번호가 아닙니다. 받는 번호 설정을 확인해 주세요.",
    "recipient",
  ],
  [
    [21608],
    "Twilio 계정이 인증한 번호로만 보낼 수 있습니다. Twilio 콘솔에서 정식 계정으로 전환하고 Trust Hub의 본인 확인을 마치거나, 받는 번호를 인증해 주세요.",
    "recipient",
  ],
  [
    // Texts to Korea are one-way, so the owner cannot answer START.
    [21610],
    "받는 번호가 수신 거부로 등록되어 있습니다. Twilio 고객 지원에 해제를 요청해 주세요.",
    "recipient",
  ],
  [
    // The carrier's catch-all for a text that did not arrive. Two phones with it together point to the channel.
    [30008],
    "통신사가 이유를 알리지 않고 문자를 전달하지 않았습니다. 받는 휴대폰이 켜져 있고 문자를 막지 않는지 확인해 주세요.",
    "recipient",
  ],
  [[30003], "휴대폰이 꺼져 있거나 신호가 없습니다. 받는 휴대폰을 확인해 주세요.", "recipient"],
  [
    [30004, 30007],
    "휴대폰이나 통신사가 문자를 막았습니다. 휴대폰의 스팸함과 수신 차단, 통신사의 국제발신 차단을 확인해 주세요.",
    "recipient",
  ],
  [
    [30450, 30453],
    "Twilio가 사기로 의심해 이 번호로 가는 문자를 몇 시간 막았습니다. 또 막히지 않게 Twilio 콘솔의 Global Safe List에 받는 번호를 넣어 주세요.",
    "recipient",
  ],
  [
    [21602, 21617, 30019],
    "이 문자는 내용이나 길이 때문에 보낼 수 없습니다. 관리자에게 알려 주세요.",
    "message",
  ],
];

/** True if the message can safely be sent again, https://www.twilio.com/docs/api/errors/20429 and …/21611 */
export const isSafeToRetry = (status: number, code = 0) =>
  status === 429 || status === PROXY_LOGIN_STATUS || code === 21611;

/** `words`: Twilio's own, without personal data. */
export function explainRequestError(status: number, code = status, words = ""): Explanation {
  const advice = [401, 403, 404].includes(status)
    ? "Twilio가 요청을 거부합니다. 계정 번호(SID)와 인증 토큰 설정을 확인해 주세요."
    : `Twilio가 문자를 거부했습니다. ${UNKNOWN_CAUSE_ADVICE}`;
  return explain([code, status], words, advice);
}

/** `code`: the error of a message that Twilio had accepted and did not deliver. */
export function explainUndelivered(code: number | undefined, words: string): Explanation {
  const advice = `문자가 휴대폰에 전달되지 않았습니다. ${UNKNOWN_CAUSE_ADVICE}`;
  return explain(code === undefined ? [] : [code], words, advice);
}

/** The explanation of the first of `codes` that EXPLANATIONS lists. `otherwise`: the advice if it lists none. */
function explain(codes: readonly number[], words: string, otherwise: string): Explanation {
  const listed = codes.map((code) => EXPLANATIONS.find(([own]) => own.includes(code)));
  const [, advice = otherwise, about = "channel"] = listed.find(Boolean) ?? [];
  const quoted = `오류 ${codes[0] ?? "번호 없음"}${words && `: ${words}`}`;
  return { about, advice: withProviderWords(advice, quoted) };
}
