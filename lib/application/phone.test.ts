import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPhone, normalisePhone } from "#lib/application/phone.ts";

describe("normalisePhone", () => {
  it.each([
    ["010-1234-5678", "+821012345678"],
    ["010 1234 5678", "+821012345678"],
    ["010.1234.5678", "+821012345678"],
    ["(010) 1234-5678", "+821012345678"],
    ["０１０－１２３４－５６７８", "+821012345678"],
    ["010–1234–5678", "+821012345678"],
    ["+82 10-1234-5678", "+821012345678"],
    ["+82 (0)10-1234-5678", "+821012345678"],
    ["0082 10 1234 5678", "+821012345678"],
    ["02-123-4567", "+8221234567"],
    ["031-638-1234", "+82316381234"],
    ["0507-1234-5678", "+8250712345678"],
    ["+1 415 555 2671", "+14155552671"],
    ["1588-1234", "15881234"],
  ])("takes %s as %s", (typed, stored) => {
    expect(normalisePhone(typed)).toBe(stored);
  });

  it.each(["", "전화 주세요", "010-12a4-5678", "1234567", "1".repeat(16), "+", "01+012345678"])(
    "refuses %j",
    (typed) => {
      expect(normalisePhone(typed)).toBeUndefined();
    },
  );

  it("is stable and reads back what it shows", () => {
    const mobile = fc.stringMatching(/^010[2-9]\d{7}$/);
    fc.assert(
      fc.property(mobile, fc.constantFrom("", "-", " ", "."), (digits, separator) => {
        const typed = [digits.slice(0, 3), digits.slice(3, 7), digits.slice(7)].join(separator);
        const stored = normalisePhone(typed);
        expect(stored).toBe(`+82${digits.slice(1)}`);
        expect(normalisePhone(stored ?? "")).toBe(stored);
        expect(normalisePhone(formatPhone(stored ?? ""))).toBe(stored);
      }),
    );
  });
});

describe("formatPhone", () => {
  it.each([
    ["+821012345678", "010-1234-5678"],
    ["+8221234567", "02-123-4567"],
    ["+82212345678", "02-1234-5678"],
    ["+82316381234", "031-638-1234"],
    ["+8250712345678", "0507-1234-5678"],
    ["+14155552671", "+14155552671"],
    ["15881234", "15881234"],
  ])("shows %s as %s", (stored, shown) => {
    expect(formatPhone(stored)).toBe(shown);
  });
});
