import { expect, it } from "vitest";
import { cleanLine, cleanText } from "#lib/application/text.ts";

it.each([
  ["decomposed Hangul", "\u1112\u1161\u11ab", "한"],
  ["bidirectional overrides", "a\u202eb\u2066c", "abc"],
  ["zero-width characters", "김\u200b여\u200d주\ufeff", "김여주"],
  ["Hangul fillers", "\u3164김\u115f여\u1160주\uffa0", "김여주"],
  ["NUL and other controls", "a\u0000b\u001b[31mc\u009b", "ab[31mc"],
  ["line breaks of every kind", "a\r\nb\rc\nd", "a\nb\nc\nd"],
  ["an unpaired surrogate", "a\ud800b", "a\ufffdb"],
  ["white space around", "  a \n", "a"],
])("cleaning puts %s right", (_, typed, clean) => {
  expect(cleanText(typed)).toBe(clean);
});

it("cleaning keeps emoji whole", () => {
  for (const emoji of ["👨‍👩‍👧", "🧑🏽‍🚒", "🏳️‍🌈", "❤️"]) expect(cleanText(emoji)).toBe(emoji);
});

it("a line is made of many", () => {
  expect(cleanLine("김\r\nBcc: x\t y")).toBe("김 Bcc: x y");
});
