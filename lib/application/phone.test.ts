import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { phoneMessages } from "#lib/application/messages.ts";
import { formatPhone, normalisePhone, phoneProblem } from "#lib/application/phone.ts";
import { parseApplication } from "#lib/application/schema.ts";
import { RIGHT_NUMBERS, WRONG_NUMBERS } from "#testing/fixtures/phone-numbers.ts";
import { FIELDS } from "#testing/fixtures/request.ts";

const MORE_WAYS: [typed: string, stored: string][] = [
  ["010 1234 5678", "+821012345678"],
  ["010.1234.5678", "+821012345678"],
  ["(010) 1234-5678", "+821012345678"],
  ["010–1234–5678", "+821012345678"],
  ["010・1234・5678", "+821012345678"],
  ["010ㆍ1234ㆍ5678", "+821012345678"],
  ["+82 (0)10-1234-5678", "+821012345678"],
  ["\u202a+82 10-1234-5678\u202c", "+821012345678"],
  ["82 2 123 4567", "+8221234567"],
  ["+82 1588-1234", "15881234"],
];

const STORED = [
  ...RIGHT_NUMBERS.map(({ typed, stored }): [string, string] => [typed, stored]),
  ...MORE_WAYS,
];

describe("a phone number", () => {
  it.each(STORED)("%s is stored as %s, by the server too", (typed, stored) => {
    expect(phoneProblem(typed)).toBeUndefined();
    expect(normalisePhone(typed)).toBe(stored);
    const parsed = parseApplication("contact", { ...FIELDS, phone: typed });
    expect(parsed.ok && parsed.application.phone).toBe(stored);
  });

  it.each(WRONG_NUMBERS)(
    "$typed is refused, by the server in the same words",
    ({ typed, says }) => {
      expect(normalisePhone(typed)).toBeUndefined();
      expect(phoneProblem(typed)).toBe(phoneMessages[says]);
      expect(parseApplication("contact", { ...FIELDS, phone: typed })).toEqual({
        ok: false,
        errors: { phone: [phoneMessages[says]] },
      });
    },
  );

  it("is stable and reads back what it shows", () => {
    const number = fc.oneof(
      fc.stringMatching(/^010\d{8}$/),
      fc.stringMatching(/^02\d{7,8}$/),
      fc.stringMatching(/^0507\d{7,8}$/),
      fc.stringMatching(/^1[568]\d{6}$/),
      fc.stringMatching(/^\+1\d{10}$/),
    );
    fc.assert(
      fc.property(number, (typed) => {
        const stored = normalisePhone(typed);
        expect(stored).toBeDefined();
        expect(normalisePhone(stored ?? "")).toBe(stored);
        expect(normalisePhone(formatPhone(typed))).toBe(stored);
        expect(formatPhone(typed)).toBe(formatPhone(stored ?? ""));
      }),
    );
  });

  it.each(RIGHT_NUMBERS)("$typed is shown as $shown", ({ typed, shown }) => {
    expect(formatPhone(typed)).toBe(shown);
  });

  it("is shown as it was typed when it is none", () => {
    expect(formatPhone("전화 주세요")).toBe("전화 주세요");
  });
});
