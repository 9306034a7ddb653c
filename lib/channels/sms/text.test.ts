import fc from "fast-check";
import { expect, test } from "vitest";
import { FIELDS } from "#lib/application/fields.ts";
import { cleanLine, cleanText } from "#lib/application/text.ts";
import { isEucKrText } from "#lib/channels/sms/euc-kr.ts";
import {
  countSegments,
  SINGLE_SMS_CHARACTERS,
  SMS_MAX_CHARACTERS,
} from "#lib/channels/sms/segments.ts";
import { composeApplicationSms } from "#lib/channels/sms/text.ts";
import { formRegionNames } from "#lib/content/regions.ts";
import type { StoredApplication } from "#lib/storage/stored-application.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";
import { anyText } from "#testing/hostile/any-text.ts";
import { HOSTILE_MESSAGES, HOSTILE_VALUES } from "#testing/hostile/values.ts";

const FACTS = ["홍길동", "010-1234-5678", "여성/32", "이천", "12월 1일(화)", "평일/오전", "자차"];
const linesOf = (changes: Partial<StoredApplication>, message = "") =>
  composeApplicationSms({ ...aStoredApplication({ message }), ...changes }).text.split("\n");

test("a text has the application number after all other lines", () => {
  const message = "주차가 어려워요.\n여성 강사님으로 부탁드려요.";
  const one = "주차가 어려워요. / 여성 강사님으로 부탁드려요.";
  expect(linesOf({ resends: 0 }, message)).toEqual(["운전연수 신청", ...FACTS, one, "7K3M-PQ9X"]);
  expect(linesOf({})).toEqual(["운전연수 신청", ...FACTS, "7K3M-PQ9X"]);
  const other = aStoredApplication({ preferredDate: "2027-01-05" });
  expect(composeApplicationSms(other).text.split("\n")[5]).toBe("2027년 1월 5일(화)");
});

test("a text names an earlier application of the same day above the message", () => {
  const earlierToday = { applicationId: "8ABCDEFG", count: 2 };
  const relation = "오늘 두 번째 신청입니다(앞 신청 8ABC-DEFG).";
  expect(linesOf({ earlierToday }, "주차").slice(8)).toEqual([relation, "주차", "7K3M-PQ9X"]);
});

test("marks precede the application number in a fixed order", () => {
  const marked = { ...aStoredApplication(), resends: 1, suspicion: "flooding" } as const;
  expect(composeApplicationSms(marked, "mail").text.split("\n").at(-1)).toBe(
    "(다시 보냄) (메일 대신) (자동 입력 의심) 7K3M-PQ9X",
  );
  const partly = composeApplicationSms(aStoredApplication(), "mail-some").text;
  expect(partly.split("\n").at(-1)).toBe("(메일 일부) 7K3M-PQ9X");
});

test("a long message is shortened so that the text has four segments", () => {
  const application = aStoredApplication({ message: "가나 ".repeat(250) });
  const { text, isShortened } = composeApplicationSms(application);
  expect(text).toMatch(/나… \(뒤는 생략\)\n7K3M-PQ9X$/);
  expect([isShortened, countSegments(text)]).toEqual([true, 4]);
});

test.for([
  ["2026-12-26", 18],
  ["2027-12-26", 12],
] as const)(
  "a name beside the date %s is cut only above %i characters",
  ([preferredDate, most]) => {
    const nameIn = (length: number) => {
      const name = "궁".repeat(length);
      const stored = aStoredApplication({ preferredDate, carType: "training", name });
      const { text, isShortened } = composeApplicationSms({ ...stored, resends: 1 }, "mail");
      return [text.split("\n")[1] === name, isShortened];
    };
    expect([nameIn(most), nameIn(most + 1)]).toEqual([
      [true, false],
      [false, true],
    ]);
  },
);

test("a text that lacks a character of the visitor counts as shortened", () => {
  const isShortened = (changes: object) =>
    composeApplicationSms(aStoredApplication(changes)).isShortened;
  expect([{ name: "张伟" }, { message: "วันเสาร์" }].map(isShortened)).toEqual([true, true]);
  expect(isShortened({ message: "감사합니다😀" })).toBe(false);
});

test("links in the message and the name are defanged", () => {
  const dead = { name: "x😀.kr", message: "https://a.kr b.co‥kr c😀.😀com" };
  expect(composeApplicationSms(aStoredApplication(dead)).text).not.toMatch(/\S\.[a-z]|:\/\//i);
  expect(composeApplicationSms(aStoredApplication({ name: "😀😀" })).text.split("\n")[1]).toBe("□");
});

test("a hostile name or message adds neither a line nor a link to a text [32]", () => {
  for (const text of [...Object.values(HOSTILE_VALUES).flat(), ...HOSTILE_MESSAGES]) {
    const sms = composeApplicationSms(aStoredApplication({ name: text, message: text })).text;
    expect(sms.split("\n")).toHaveLength(10);
    expect(sms.split("\n").slice(2, 4)).toEqual(["010-1234-5678", "여성/32"]);
    expect(isEucKrText(sms)).toBe(true);
    expect(sms).not.toMatch(/:\/\/|[\p{L}\p{N}_-][.．。｡․]\p{L}|\b\d{1,3}(\.\d{1,3}){3}\b/u);
  }
});

const code = <Code>({ options }: { options: readonly { code: Code }[] }) =>
  fc.constantFrom(...options.map((option) => option.code));
const applications = fc.record({
  name: anyText({ minLength: 1, maxLength: 50 })
    .map(cleanLine)
    .filter((name) => name !== ""),
  phone: fc.constantFrom("+821023456789", "+82212345678", "+123456789012345", "12345678"),
  gender: code(FIELDS.gender),
  age: fc.integer({ min: 18, max: 100 }),
  region: fc.constantFrom(...formRegionNames),
  preferredDate: fc.constantFrom("2026-12-05", "1999-01-01"),
  dayType: code(FIELDS.dayType),
  timeSlot: code(FIELDS.timeSlot),
  carType: code(FIELDS.carType),
  message: anyText({ maxLength: 1_000 }).map(cleanText),
});

test("any application gives a text with its essentials in 70 characters [33]", () => {
  fc.assert(
    fc.property(applications, (application) => {
      const text = composeApplicationSms(aStoredApplication(application)).text;
      expect(isEucKrText(text)).toBe(true);
      expect(text.length).toBeLessThanOrEqual(SMS_MAX_CHARACTERS);
      const lines = text.split("\n");
      expect(lines).toHaveLength(application.message === "" ? 9 : 10);
      expect(lines.every((line) => line !== "" && line === line.trim())).toBe(true);
      expect(lines.slice(0, 8).join("\n").length).toBeLessThanOrEqual(SINGLE_SMS_CHARACTERS);
      expect(lines[4]).toBe(application.region);
      expect(lines[5]).toMatch(/^(12월 5일\(토\)|1999년 1월 1일\(금\))$/);
      expect(lines.at(-1)).toBe("7K3M-PQ9X");
    }),
  );
});
