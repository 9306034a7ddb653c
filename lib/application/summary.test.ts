import fc from "fast-check";
import { expect, it } from "vitest";
import { fieldFacts, formatFieldValue, SUMMARY_FIELDS } from "#lib/application/fields.ts";
import {
  composeApplicationTextMessage,
  fitIntoLink,
  summaryLine,
} from "#lib/application/summary.ts";
import { smsHref } from "#lib/content/links.ts";
import { filledInValues } from "#testing/fixtures/browser-application.ts";
import { anyText } from "#testing/hostile/any-text.ts";

const FORM_VALUES = {
  ...{ gender: "female", age: 32, region: "이천", preferredDate: "2026-12-01" },
  ...{ dayType: "weekday", timeSlot: "morning", carType: "own" },
};
const LINE = "운전연수 신청: 여성/32/이천/2026-12-01/평일/오전/자차";

it("an application by text message starts with the name", () => {
  expect(composeApplicationTextMessage({ name: "김여주", ...FORM_VALUES })).toBe(
    `이름: 김여주\n${summaryLine(FORM_VALUES)}`,
  );
});

/** Android's messages app decodes the whole link, splits the link at `&`, and decodes the text again. */
function readByAndroid(href: string): string {
  const decoded = decodeURIComponent(href);
  const parts = decoded.slice(decoded.indexOf("?") + 1).split("&");
  const body = parts.find((part) => part.startsWith("body="))?.slice("body=".length) ?? "";
  return decodeURIComponent(body.replaceAll("+", " "));
}

it.each(["R&D 단지", "자신감 50% 정도", "1+1+1"])(
  "an sms: link gives Android the whole message %j",
  (words) => {
    const text = fitIntoLink(composeApplicationTextMessage({ ...filledInValues, message: words }));
    expect(text.normalize("NFKC")).toContain(words);
    expect(readByAndroid(smsHref("010-1234-5678", text))).toBe(text);
  },
);

it("a text is shortened until an sms: link can carry it", () => {
  const short = { ...filledInValues, message: "여성 강사 희망, SUV 연수차 희망\n주차가 어려워요." };
  expect(composeApplicationTextMessage(short)).toMatch(
    /\n남기신 말씀: 여성 강사 희망, SUV 연수차 희망\n주차/,
  );
  fc.assert(
    fc.property(anyText({ maxLength: 1_000 }), (words) => {
      const message = `SUV 연수차 희망 ${words}`;
      const text = fitIntoLink(composeApplicationTextMessage({ ...filledInValues, message }));
      expect(encodeURIComponent(text).length).toBeLessThanOrEqual(2_000);
      expect(text).toContain("남기신 말씀: SUV 연수차 희망");
    }),
  );
  // A cut within this emoji's two code units would leave half a character, for which encodeURIComponent throws.
  for (const words of ["가", "가\n\n\n\n\n\n", "😀", "a😀"]) {
    const message = words.repeat(1_000);
    const long = fitIntoLink(composeApplicationTextMessage({ ...filledInValues, message }));
    expect(long).toMatch(/[가a😀] \(뒤는 생략\)$/u);
    expect(encodeURIComponent(long).length).toBeLessThanOrEqual(2_000);
  }
});

it("the summary leaves out a field without a value", () => {
  expect(summaryLine({ ...FORM_VALUES, age: "" })).toContain(" 여성/이천/");
});

it("the summary is the same for codes and for labels", () => {
  const labels = SUMMARY_FIELDS.filter((field) => fieldFacts(field).options).map((field) => [
    field,
    formatFieldValue(field, { ...filledInValues, ...FORM_VALUES }[field] ?? ""),
  ]);
  expect(summaryLine(FORM_VALUES)).toContain(LINE);
  expect(summaryLine({ ...FORM_VALUES, ...Object.fromEntries(labels) })).toContain(LINE);
});
