import fc from "fast-check";
import { expect, test } from "vitest";
import { FIELDS } from "#lib/application/fields.ts";
import { cleanLine, cleanText } from "#lib/application/text.ts";
import { isEucKr } from "#lib/channels/sms/euc-kr.ts";
import { SMS_CHARACTERS, SMS_MAX_CHARACTERS } from "#lib/channels/sms/segments.ts";
import { isSmsShortened, smsText } from "#lib/channels/sms/text.ts";
import { formRegions } from "#lib/content/regions.ts";
import { anyText } from "#testing/any-text.ts";
import { aStoredApplication } from "#testing/fixtures/stored-application.ts";

test("the owner reads who applies and how to call back first, then the message, the number last", () => {
  expect(
    smsText(aStoredApplication({ message: "주차가 어려워요.\n여성 강사님으로 부탁드려요." })),
  ).toBe(
    [
      "운전연수 신청",
      "홍길동",
      "010-1234-5678",
      "여성/32",
      "이천",
      "12월 1일(화)",
      "평일/오전",
      "자차",
      "주차가 어려워요. 여성 강사님으로 부탁드려요.",
      "7K3M-PQ9X",
    ].join("\n"),
  );
});

test("without a message the number follows the car", () => {
  expect(smsText(aStoredApplication({ message: "" }))).toMatch(/\n자차\n7K3M-PQ9X$/);
});

test("a day of another year is told with its year", () => {
  const text = smsText(aStoredApplication({ preferredDate: "2027-01-05" }));
  expect(text.split("\n")[5]).toBe("2027년 1월 5일(화)");
});

test("what it has to do with an earlier application stands before the visitor's message", () => {
  const application = aStoredApplication({ message: "주차" });
  const lines = (changes: object) =>
    smsText({ ...application, ...changes })
      .split("\n")
      .slice(8);
  expect(lines({ corrects: "8ABCDEFG" })).toEqual([
    "앞의 신청 8ABC-DEFG를 고친 것",
    "주차",
    "7K3M-PQ9X",
  ]);
  expect(lines({ corrects: "8ABCDEFM" })[0]).toBe("앞의 신청 8ABC-DEFM을 고친 것");
  const earlierToday = { applicationId: "8ABCDEFG", count: 2 };
  expect(lines({ earlierToday })[0]).toBe("오늘 두 번째 신청, 앞의 것 8ABC-DEFG");
  // It is said once.
  expect(lines({ earlierToday, corrects: "8ABCDEFG" })).toHaveLength(3);
});

test("the marks stand before the number, in one order", () => {
  const marked = { ...aStoredApplication(), repeats: 1, suspicion: "flooding" } as const;
  expect(smsText(marked, "mail")).toMatch(
    /\n\(다시 보냄\) \(메일 대신\) \(자동 입력 의심\) 7K3M-PQ9X$/,
  );
});

test("a long message is cut at four segments of 67 characters, says so, and the number still ends the text", () => {
  expect(SMS_MAX_CHARACTERS).toBe(268);
  const application = aStoredApplication({ message: "가나다 ".repeat(250) });
  const text = smsText(application);
  expect(text.length).toBeLessThanOrEqual(SMS_MAX_CHARACTERS);
  expect(text).toMatch(/… \(뒤는 생략\)\n7K3M-PQ9X$/);
  expect(isSmsShortened(application)).toBe(true);
  expect(isSmsShortened(aStoredApplication())).toBe(false);
});

test.each([
  ["as it is", {}, undefined],
  ["in place of a mail", {}, "mail"],
  ["sent once more", { repeats: 1 }, undefined],
] as const)("a name of 20 characters is whole, %s", (_what, changes, insteadOf) => {
  const name = "남궁".repeat(10);
  const stored = {
    ...aStoredApplication({ name, preferredDate: "2026-12-26", carType: "training" }),
    ...changes,
  };
  const lines = smsText(stored, insteadOf).split("\n");
  expect(lines[1]).toBe(name);
  expect(lines.slice(0, 8).join("\n").length).toBeLessThanOrEqual(SMS_CHARACTERS);
  expect(isSmsShortened(stored)).toBe(false);
});

test("links in the message and in the name are dead, also when an emoji hid their dot", () => {
  const text = smsText(
    aStoredApplication({ name: "x😀.kr", message: "https://a.kr b.co‥kr c😀.😀com" }),
  );
  expect(text).not.toMatch(/\S\.[a-z]/i);
  expect(text).not.toContain("://");
});

test("a name that cannot be written at all leaves its place marked", () => {
  expect(smsText(aStoredApplication({ name: "😀😀" })).split("\n")[1]).toBe("□");
});

const code = <Code>(options: readonly { code: Code }[]) =>
  fc.constantFrom(...options.map((option) => option.code));
const applications = fc.record({
  name: anyText({ minLength: 1, maxLength: 50 })
    .map(cleanLine)
    .filter((name) => name !== ""),
  phone: fc.constantFrom("+821023456789", "+82212345678", "+123456789012345", "12345678"),
  gender: code(FIELDS.gender.options),
  age: fc.integer({ min: 18, max: 100 }),
  region: fc.constantFrom(...formRegions),
  preferredDate: fc.constantFrom("2026-12-05", "1999-01-01"),
  dayType: code(FIELDS.dayType.options),
  timeSlot: code(FIELDS.timeSlot.options),
  carType: code(FIELDS.carType.options),
  message: anyText({ maxLength: 1_000 }).map(cleanText),
});

test("whatever is written: only sendable characters, one line per field, essentials in the first 70", () => {
  fc.assert(
    fc.property(applications, (application) => {
      const text = smsText(aStoredApplication(application));
      expect(isEucKr(text)).toBe(true);
      expect(text.length).toBeLessThanOrEqual(SMS_MAX_CHARACTERS);

      const lines = text.split("\n");
      expect(lines).toHaveLength(application.message === "" ? 9 : 10);
      expect(lines.every((line) => line !== "" && line === line.trim())).toBe(true);
      const essentials = lines.slice(0, 8).join("\n");
      expect(essentials.length).toBeLessThanOrEqual(SMS_CHARACTERS);
      expect(lines[4]).toBe(application.region);
      expect(lines[5]).toMatch(/^(12월 5일(\(토\))?|1999년 1월 1일(\(금\))?)$/);
      expect(lines.at(-1)).toBe("7K3M-PQ9X");
    }),
    { numRuns: 300 },
  );
});
