import fc from "fast-check";
import { expect, it } from "vitest";
import { cleanLine, cleanText, countCharacters } from "#lib/application/text.ts";
import { anyText } from "#testing/hostile/any-text.ts";

it.each([
  ["decomposed Hangul", "\u1112\u1161\u11ab", "한"],
  ["bidirectional overrides", "a\u202eb\u2066c", "abc"],
  ["zero-width characters", "김\u200b여\u200d주\ufeff", "김여주"],
  ["Hangul fillers", "\u3164김\u115f여\u1160주\uffa0", "김여주"],
  ["characters that dictation leaves", "김\ufffc여주\u2800", "김여주"],
  ["tags and musical blanks", "김\u{e0041}여\u{1d159}주\u{1d173}", "김여주"],
  ["private use and noncharacters", "김\ue000여\uffff주\u{10fffe}", "김여주"],
  ["variation selectors", "김\ufe0f여\ufe00주\u{e0100}", "김여주"],
  ["marks without a base", "\u0301김 \u20e3\u0308여\n\u0300주", "김 여\n주"],
  ["NUL and other controls", "a\u0000b\u001b[31mc\u009b", "ab[31mc"],
  ["line breaks of every kind", "a\r\nb\rc\nd\u2028e\u2029f\u0085g\vh", "a\nb\nc\nd\ne\nf\ng\nh"],
  ["an unpaired surrogate", "a\ud800b", "a\ufffdb"],
  ["white space around", "\u3000 a \n", "a"],
])("cleaning normalises %s", (_, typed, clean) => {
  expect(cleanText(typed)).toBe(clean);
});

it("cleaning keeps the parts of an emoji together", () => {
  for (const emoji of ["👨‍👩‍👧", "🧑🏽‍🚒", "🏳️‍🌈", "❤️", "1️⃣"]) expect(cleanText(emoji)).toBe(emoji);
});

it("cleaning a one-line field joins lines with a space", () => {
  expect(cleanLine("김\r\nBcc: x\t y")).toBe("김 Bcc: x y");
});

it("cleaning does not change clean text", () => {
  fc.assert(
    fc.property(anyText({ maxLength: 40 }), (typed) => {
      const clean = cleanText(typed);
      expect(cleanText(clean)).toBe(clean);
      expect(clean).not.toMatch(/^\p{M}|[[\p{Cf}\p{Co}]--[\u200d]]/v);
      expect(countCharacters(clean)).toBe([...clean].length);
    }),
  );
});
