import { expect, it } from "vitest";
import { blankApplication } from "#lib/content/business.ts";

it("gives the blank form a line for each thing that the owner needs, the name first", () => {
  expect(blankApplication.split("\n")).toEqual([
    "운전연수 신청",
    "이름: ",
    "성별: ",
    "나이: ",
    "지역: ",
    "희망 날짜: ",
    "요일: ",
    "시간대: ",
    "차량: ",
  ]);
});
