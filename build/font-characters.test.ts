import { expect, test } from "vitest";
import { collectFontCharacters, restSyllables } from "#build/font-characters.ts";
import { phoneProblems, responseMessages } from "#lib/application/messages.ts";
import { isEucKrText } from "#lib/channels/sms/euc-kr.ts";

/** Names from official lists of given names, from the 1960s to today. */
const COMMON_NAMES = `
  김영수 이영숙 박정숙 최순자 정영희 강경숙 조미경 윤은주 장성호 임정훈 한지영 오미영 서은영 신현정 권은정
  황지혜 안수진 송지현 류민지 홍유진 고수빈 문민준 양서준 손예준 배도윤 조시우 백주원 허하준 남지호 심지후
  노준서 하서연 곽서윤 성지우 차서현 주민서 우하은 구하윤 민윤서 진지유 나채원 엄상훈 지동현 원승현 천현우
  방재현 공태윤 현병철 함종수 여광수 추정희 도명숙 소춘자 석말순 선옥순 설혜진 마보람 길아름 연슬기 탁나래`;

test("the font has the syllables of the server's messages and of common names", async () => {
  const { pages, later } = await collectFontCharacters();
  const said = [COMMON_NAMES, ...Object.values(responseMessages), ...Object.values(phoneProblems)];
  const missing = said
    .join("")
    .match(/[가-힣]/g)
    ?.filter((each) => !(pages + later).includes(each));
  expect(missing).toEqual([]);
});

test("the rest files have exactly the KS X 1001 syllables that the others lack", async () => {
  const { pages, later } = await collectFontCharacters();
  const known = pages + later;
  const rest = restSyllables(known);
  const all = [...new Set(known.match(/[가-힣]/g)), ...rest.join("")];
  expect(new Set(all).size).toBe(all.length);
  const standard = Array.from({ length: 11_172 }, (_, index) =>
    String.fromCodePoint(0xac00 + index),
  );
  expect(standard.filter((each) => isEucKrText(each) && !all.includes(each))).toEqual([]);
});

test("the character ranges of the rest files do not overlap", () => {
  const parts = restSyllables("가나다");
  for (const [part, text] of parts.slice(1).entries())
    expect((text[0] ?? "") > (parts[part]?.at(-1) ?? "")).toBe(true);
});
