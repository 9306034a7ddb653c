import { expect, test } from "vitest";
import { fitToEucKr, isEucKrText } from "#lib/channels/sms/euc-kr.ts";

const syllables = Array.from({ length: 11_172 }, (_, index) => String.fromCharCode(0xac00 + index));

test("EUC-KR has exactly 2,350 of the 11,172 syllables", () => {
  expect(syllables.filter(isEucKrText)).toHaveLength(2_350);
});

test.each([
  ["가나다 ABC 123 ★☎·…", "가나다 ABC 123 ★☎·…"],
  ["평일–오전—오후", "평일-오전-오후"],
  ["“안녕” ‘네’", "\"안녕\" '네'"],
  ["김샾", "김샵"],
  ["김여주".normalize("NFD"), "김여주"],
  ["똠양꿍", "또ㅁ양꿍"],
  ["감사합니다😀👍🏽👨‍👩‍👧🇰🇷", "감사합니다"],
  ["1️⃣번", "1번"],
  ["José Ångström", "Jose Angstrom"],
  ["ﬁne", "fine"],
  ["a\u00a0b\u2003c", "a b c"],
  ["a\u1680b\tc", "a b c"],
  ["สวัส", "□□□"],
  ["〜", "~"],
  // EUC-KR has only one of the two parts of ẚ: the letter a, but not the modifier letter.
  ["ẚ", "□"],
  ["통화❌ 문자⭕️", "통화× 문자○"],
  ["📞🚫 주말🆗", "☎× 주말○"],
  ["➕10➖12➗", "+10-12÷"],
  ["✅ 320,000₩ • 주말❗", "√ 320,000￦ · 주말!"],
])("the text %s is converted to %s for EUC-KR", (typed, sent) => {
  expect(fitToEucKr(typed)).toBe(sent);
});

test("every syllable that EUC-KR lacks is replaced by Hangul of EUC-KR [33]", () => {
  const lost = syllables.filter((syllable) => {
    const sent = fitToEucKr(syllable);
    return !isEucKrText(sent) || !/[가-힣ㄱ-ㅎㅏ-ㅣ]/.test(sent);
  });
  expect(lost).toEqual([]);
});
