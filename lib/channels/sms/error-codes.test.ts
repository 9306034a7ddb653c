import { expect, test } from "vitest";
import { explainRequestError, explainUndelivered } from "#lib/channels/sms/error-codes.ts";

const UNKNOWN = "정확한 이유는 알 수 없습니다";

const REQUEST_ERRORS: [codes: number[], about: string, advice: string][] = [
  [[20003], "channel", "토큰.*Trust Hub"],
  [[10001, 20005, 20403], "channel", "정지되었거나 잔액"],
  [[407], "channel", "프록시.*로그인"],
  [[301, 302, 303, 307, 308], "channel", "다른 주소로"],
  [[401, 403, 404], "channel", "인증 토큰"],
  [[21212, 21266, 21606, 21612, 21657, 21659, 21660, 21661], "channel", "보내는 번호"],
  [[21701, 21703, 21704, 21705], "channel", "메시징 서비스"],
  [[21408], "channel", "Geo permissions"],
  [[429, 20429, 21611], "channel", "지금은 문자를 더 받지 않습니다"],
  [[60728, 63038], "channel", "발송 한도"],
  [[10002, 572006], "channel", "체험 계정"],
  [[21211, 21614, 21635], "recipient", "받는 번호"],
  [[21608], "recipient", "Trust Hub.*인증"],
  [[21610], "recipient", "수신 거부"],
  [[21602, 21617], "message", "내용이나 길이"],
  [[400, 20001, 20404, 21604, 21609, 21619, 29999], "channel", UNKNOWN],
];
const UNDELIVERED: [codes: number[], about: string, advice: string][] = [
  [[30002], "channel", "정지되었거나 잔액"],
  [[30018, 30024, 30032, 30034, 30035, 30037, 30040, 30042, 30043], "channel", "보내는 번호"],
  [[30001, 30022], "channel", "지금은 문자를 더 받지 않습니다"],
  [[30454], "channel", "발송 한도"],
  [[30044], "channel", "체험 계정"],
  [[30017, 30021, 30036, 30410], "channel", "통신사로 제때"],
  [[30005, 30006], "recipient", "받는 번호"],
  [[30003], "recipient", "꺼져 있거나"],
  [[30008], "recipient", "이유를 알리지 않고"],
  [[30004, 30007], "recipient", "국제발신 차단"],
  [[30450, 30453], "recipient", "Safe List"],
  [[30019], "message", "내용이나 길이"],
  [[30009, 30010, 30011, 30012, 30013, 30014, 30015, 30016], "channel", UNKNOWN],
  [[30020, 30023, 30027, 30033, 30038, 30039, 30045, 63016, 99999], "channel", UNKNOWN],
];
const rowsOf = (table: typeof UNDELIVERED) =>
  table.flatMap(([codes, ...meaning]) => codes.map((code) => [code, ...meaning] as const));

test.each(rowsOf(REQUEST_ERRORS))("Twilio's rejection %i is a fault of the %s: %s", (...row) => {
  const [code, about, words] = row;
  const explained = code < 1_000 ? explainRequestError(code) : explainRequestError(400, code, "no");
  const advice = expect.stringMatching(RegExp(`${words}.*주세요\\. \\(오류 ${code}(: no)?\\)$`));
  expect(explained).toEqual({ about, advice });
});

test.each(rowsOf(UNDELIVERED))("a text with error %i is a fault of the %s: %s [80]", (...row) => {
  const [code, about, words] = row;
  const advice = expect.stringMatching(RegExp(`${words}.*주세요\\. \\(오류 ${code}: no\\)$`));
  expect(explainUndelivered(code, "no")).toEqual({ about, advice });
});
