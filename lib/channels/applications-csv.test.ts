import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { cleanText } from "#lib/application/text.ts";
import { csvLine } from "#lib/channels/applications-csv.ts";
import { HOSTILE_MESSAGES, HOSTILE_VALUES } from "#testing/hostile/values.ts";

/** Characters that begin a formula according to OWASP, also in full width. */
const FORMULA_PATTERN = /^[\s]*[=+\-@\t\r＝＋－＠]/;
const cellsOf = (line: string) => parse(line, { record_delimiter: "\r\n" })[0];

test("a hostile text stays one CSV cell that is no formula [32]", () => {
  for (const value of [...Object.values(HOSTILE_VALUES).flat(), ...HOSTILE_MESSAGES]) {
    const cells = cellsOf(csvLine(["가", value, "나"]));
    expect(cells).toHaveLength(3);
    const cell = String(cells?.[1]);
    expect(cell).not.toMatch(FORMULA_PATTERN);
    expect(cell.replace(/^'/, "")).toBe(cleanText(value).replace(/^'/, ""));
  }
});

const formulas = [..."=+-@＝＋－＠−"].map((sign) => `${sign}1`).concat("\t=1", "\r=1", " =1");
const figures =
  "0212345 01012345678 1e309 1,234.50 1E5 50% ０１２３ 3/4 10:30 12-3 3월 4-Mar 9：30 3시간";
test.each([...formulas, ...figures.split(" ")])("the CSV cell %j gets an apostrophe", (value) => {
  expect(cellsOf(csvLine([value]))).toEqual([`'${value.trim()}`]);
});

test("a CSV row quotes every cell as RFC 4180 says", () => {
  const row = csvLine(['그는 "네"라고', 32, "a,b\nc", "010-1234-5678", "입구=1층", ""]);
  expect(row).toBe('"그는 ""네""라고","32","a,b\nc","010-1234-5678","입구=1층",""\r\n');
});

const plain = "02-345-6789¦1588-0000¦7K3M-PQ9X¦2026-12-01¦2026-12-01 09:30¦자차 10시간".split("¦");
test.each(plain)("the CSV cell %j gets no apostrophe", (value) => {
  expect(cellsOf(csvLine([value]))).toEqual([value]);
});
