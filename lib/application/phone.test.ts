import fc from "fast-check";
import { expect, it } from "vitest";
import { phoneProblems } from "#lib/application/messages.ts";
import { describePhoneProblem, formatPhone, normalisePhone } from "#lib/application/phone.ts";

/** One mobile number, as people type it. */
const MOBILE = [
  ...(
    "01012345678¦０１０－１２３４－５６７８¦+82 10-1234-5678¦0082 10 1234 5678¦82-10-1234-5678¦" +
    "(010) 1234-5678¦+82 (0)10-1234-5678¦\u202a+82 10-1234-5678\u202c¦٠١٠-١٢٣٤-٥٦٧٨¦०१०१२३४५६७८"
  ).split("¦"),
  ...["\ufffc010-1234-5678", "010\u28001234\u28005678", "\u3164010 1234 5678\u0301", "0️⃣1️⃣0️⃣12345678"],
  ...[..."- .ㅡ−ー·–・ㆍｰ￣⁃─━˗⁻•∙⋅･․。｡_一ᅳￚ"].map((sign) => ["010", "1234", "5678"].join(sign)),
];
/** Numbers of every kind in the Korean numbering plan, and foreign ones. */
const VALID_NUMBERS = [
  ...MOBILE.map((typed) => ({ typed, stored: "+821012345678", shown: "010-1234-5678" })),
  { typed: "02-123-4567", stored: "+8221234567", shown: "02-123-4567" },
  { typed: "02) 1234-5678", stored: "+82212345678", shown: "02-1234-5678" },
  { typed: "031-638-1234", stored: "+82316381234", shown: "031-638-1234" },
  { typed: "064-1234-5678", stored: "+826412345678", shown: "064-1234-5678" },
  { typed: "070-1234-5678", stored: "+827012345678", shown: "070-1234-5678" },
  { typed: "080-123-4567", stored: "+82801234567", shown: "080-123-4567" },
  { typed: "0505-123-4567", stored: "+825051234567", shown: "0505-123-4567" },
  { typed: "0507-1234-5678", stored: "+8250712345678", shown: "0507-1234-5678" },
  { typed: "1588-1234", stored: "15881234", shown: "1588-1234" },
  { typed: "1877.1234", stored: "18771234", shown: "1877-1234" },
  { typed: "+1 415 555 2671", stored: "+14155552671", shown: "+14155552671" },
  { typed: "+86 138 0013 8000", stored: "+8613800138000", shown: "+8613800138000" },
  { typed: "82 2 123 4567", stored: "+8221234567", shown: "02-123-4567" },
  { typed: "+82 1588-1234", stored: "15881234", shown: "1588-1234" },
  { typed: "+44 (0)20 7946 0958", stored: "+442079460958", shown: "+442079460958" },
];

const INVALID = {
  mobile: "010-1234-567¦010-1234-56789¦010¦+82 10-1234-567",
  other:
    "010-12a4-5678¦10-1234-5678¦011-123-4567¦02-12-3456¦02-010-12¦02-12345-6789¦031-12-3456¦034-123-4567¦070-123-4567¦" +
    "0507-12-3456¦1588-12345¦1700-1234¦14155552671¦02-123-4567/8¦02-123-4567～8¦02-1234-567?¦+1 415 55¦전화 주세요",
};
const invalid = (["mobile", "other"] as const).flatMap((says) =>
  INVALID[says].split("¦").map((typed) => ({ typed, says })),
);

it.each(VALID_NUMBERS)(
  "the phone number $typed is stored as $stored",
  ({ typed, stored, shown }) => {
    expect(normalisePhone(typed)).toBe(stored);
    expect(formatPhone(typed)).toBe(shown);
  },
);

it.each(invalid)("the phone number $typed is refused", ({ typed, says }) => {
  expect(normalisePhone(typed)).toBeUndefined();
  expect(formatPhone(typed)).toBe(typed);
  expect(describePhoneProblem(typed)).toBe(phoneProblems[says]);
});

it("normalising a stored or a shown phone number gives the stored one again", () => {
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
