import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { cleanText } from "#lib/application/text.ts";
import { BOM, csvLine, inertCell } from "#lib/channels/csv.ts";
import { HOSTILE_MESSAGES, HOSTILE_VALUES } from "#testing/hostile-values.ts";

const values = [...Object.values(HOSTILE_VALUES).flat(), ...HOSTILE_MESSAGES];
/** How OWASP says a formula begins, and the same in full width. */
const FORMULA = /^[\s]*[=+\-@\t\r＝＋－＠]/;

const cellsOf = (text: string) => parse(text, { bom: true, record_delimiter: "\r\n" });

test.each(values)("%j comes back whole from a cell, and works nothing out", (value) => {
  const cells = cellsOf(BOM + csvLine(["가", inertCell(value), "나"]))[0];
  expect(cells).toHaveLength(3);
  const cell = String(cells?.[1]);
  expect(cell).not.toMatch(FORMULA);
  expect(cell.replace(/^'/, "")).toBe(cleanText(value).replace(/^'/, ""));
});

test.each([
  "=1+1",
  "+8210",
  "-1",
  "@SUM(1)",
  "\t=1",
  "\r=1",
  "＝1",
  "＋1",
  "－1",
  "＠A",
  " =1",
  "−1",
])("%j is marked as text", (value) => expect(inertCell(value)).toBe(`'${value.trim()}`));

test.each(["0212345", "01012345678", "15551234567890123", "1e309", "1,234.50"])(
  "%s keeps every figure, the first zero too",
  (value) => expect(inertCell(value)).toBe(`'${value}`),
);

test.each(["010-1234-5678", "홍길동", "2026-12-01", "이천", "1층 =입구", "", "3월 1일"])(
  "%j is left as it is",
  (value) => expect(inertCell(value)).toBe(value),
);

test("a row ends as Windows ends it, and every cell is quoted", () => {
  expect(csvLine(['그는 "네"라고', 32, "a,b\nc"])).toBe('"그는 ""네""라고","32","a,b\nc"\r\n');
});
