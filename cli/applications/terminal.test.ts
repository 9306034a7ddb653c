import stringWidth from "string-width";
import { expect, test } from "vitest";
import { forTerminal, json, linesForTerminal, shorten, table } from "#cli/applications/terminal.ts";
import { HOSTILE_MESSAGES, HOSTILE_VALUES } from "#testing/hostile-values.ts";

const values = [...Object.values(HOSTILE_VALUES).flat(), ...HOSTILE_MESSAGES];
/** What moves a cursor, turns a line around or hides: none of it is there to be seen. */
const UNSAFE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u115f\u1160\u180e\u200b\u200c\u2060-\u2064\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]|\u034f/u;

test.each(values)("nothing in %j reaches the terminal but text, on one line", (value) => {
  expect(forTerminal(value)).not.toMatch(UNSAFE);
  for (const line of linesForTerminal(value)) expect(line).not.toMatch(UNSAFE);
});

test.each(values)("JSON of %j is harmless in a terminal, and whole", (value) => {
  const text = json({ value });
  expect(text.replaceAll("\n", "")).not.toMatch(UNSAFE);
  expect(JSON.parse(text)).toEqual({ value });
});

test("columns stand below each other, whatever the letters are as wide as", () => {
  const lines = table([
    ["접수번호", "이름", "상태"],
    ["7K3M-PQ9X", "홍길동", "대기"],
    ["A", "👨‍👩‍👧 Kim", "전달됨"],
  ]);
  const starts = [
    lines[0]?.indexOf("상태"),
    lines[1]?.indexOf("대기"),
    lines[2]?.indexOf("전달됨"),
  ];
  const columns = lines.map((line, index) => stringWidth(line.slice(0, starts[index])));
  expect(new Set(columns).size).toBe(1);
  for (const line of lines) expect(line).toBe(line.trimEnd());
});

test("a table may be longer than a call may have arguments", () => {
  expect(table(Array(200_000).fill([""]))).toHaveLength(200_000);
});

test.each([
  ["홍길동", 6, "홍길동"],
  ["홍길동이", 6, "홍길…"],
  ["👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…"],
  ["abcdef", 4, "abc…"],
])("%s is cut to %i columns between letters", (text, columns, cut) => {
  expect(shorten(text, columns)).toBe(cut);
  expect(stringWidth(shorten(text, columns))).toBeLessThanOrEqual(columns);
});
