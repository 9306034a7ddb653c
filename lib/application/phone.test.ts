import fc from "fast-check";
import { expect, it } from "vitest";
import { phoneMessages } from "#lib/application/messages.ts";
import { formatPhone, invalidPhoneMessage, normalisePhone } from "#lib/application/phone.ts";
import { parseApplication } from "#lib/application/rules.ts";
import { INVALID_PHONE_NUMBERS, VALID_PHONE_NUMBERS } from "#testing/fixtures/phone-numbers.ts";
import { VALID_FIELDS } from "#testing/fixtures/request.ts";

const MOBILE = [
  "010 1234 5678",
  "(010) 1234-5678",
  "+82 (0)10-1234-5678",
  "\u202a+82 10-1234-5678\u202c",
  "٠١٠-١٢٣٤-٥٦٧٨",
  "०१०१२३४५६७८",
  ...["\ufffc010-1234-5678", "010\u28001234\u28005678", "\u3164010 1234 5678\u0301", "0️⃣1️⃣0️⃣12345678"],
  ...[...".–・ㆍｰ￣⁃─━˗⁻•∙⋅･․。｡_一ᅳￚ"].map((sign) => ["010", "1234", "5678"].join(sign)),
];
const VALID = [
  ...VALID_PHONE_NUMBERS,
  ...MOBILE.map((typed) => ({ typed, stored: "+821012345678", shown: "010-1234-5678" })),
  { typed: "82 2 123 4567", stored: "+8221234567", shown: "02-123-4567" },
  { typed: "+82 1588-1234", stored: "15881234", shown: "1588-1234" },
  { typed: "+44 (0)20 7946 0958", stored: "+442079460958", shown: "+442079460958" },
];

it.each(VALID)("the phone number $typed is stored as $stored", ({ typed, stored, shown }) => {
  expect(normalisePhone(typed)).toBe(stored);
  const parsed = parseApplication("contact", { ...VALID_FIELDS, phone: typed });
  expect(parsed.ok && parsed.application.phone).toBe(stored);
  expect(formatPhone(typed)).toBe(shown);
});

it.each(INVALID_PHONE_NUMBERS)("form and server refuse phone $typed alike", ({ typed, says }) => {
  expect(normalisePhone(typed)).toBeUndefined();
  expect(invalidPhoneMessage(typed)).toBe(phoneMessages[says]);
  expect(parseApplication("contact", { ...VALID_FIELDS, phone: typed })).toEqual({
    ok: false,
    errors: { phone: [phoneMessages[says]] },
  });
});

it("a stored or shown phone number normalises to the same number", () => {
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

it("text that is not a phone number is shown as it was typed", () => {
  expect(formatPhone("전화 주세요")).toBe("전화 주세요");
});
