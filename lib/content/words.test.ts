/** The words that visitors and the owner read: some were replaced by better ones, and must not come back. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const REPLACED = [
  "표시는 꼭 적어",
  "1자에서",
  "달력에 있는 날짜",
  "접수하는 중",
  "연결이 돌아오",
  "보관했던 신청서를 보냈습니다",
  "보관한 신청서를 접수할 수",
  "지울까요",
  "신청이 잠시 몰리고",
  "이 쪽",
  "어려운 것부터",
  "할 수 있는 것에서",
  "낮은 금액",
  "몰 예정인",
  "없어도 됩니다",
  "사는 곳과",
  "찾는 지역",
  "이야기",
  "이하 생략",
  "문자로 받으시는 신청",
  "자동 등록 의심",
  "가는 길이 없",
  "통신사가 받는 번호를 모",
  "닿지 않습니다",
  "맡기는 일",
  "조금 뒤",
  "잠시 뒤에",
  "연수 신청 보내기",
];

test("no sentence uses words that were replaced", () => {
  const files = globSync("{app,cli,components,lib,server}/**/*.{ts,tsx}").filter(
    (file) => !file.endsWith(".test.ts"),
  );
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) => {
    const source = readFileSync(file, "utf8");
    return REPLACED.filter((words) => source.includes(words)).map((words) => `${file}: ${words}`);
  });
  expect(found).toEqual([]);
});
