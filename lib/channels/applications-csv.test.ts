import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { cleanText } from "#lib/application/text.ts";
import { csvLine } from "#lib/channels/applications-csv.ts";
import { HOSTILE_MESSAGES, HOSTILE_VALUES } from "#testing/hostile/values.ts";

/** How OWASP says a formula begins, and the same in full width. */
const FORMULA = /^[\s]*[=+\-@\t\r＝＋－＠]/;
const cellsOf = (line: string) => parse(line, { record_delimiter: "\r\n" })[0];

test("whatever was typed comes back whole from a cell, and works nothing out", () => {
  for (const value of [...Object.values(HOSTILE_VALUES).flat(), ...HOSTILE_MESSAGES]) {
    const cells = cellsOf(csvLine(["가", value, "나"]));
    expect(cells).toHaveLength(3);
    const cell = String(cells?.[1]);
    expect(cell).not.toMatch(FORMULA);
    expect(cell.replace(/^'/, "")).toBe(cleanText(value).replace(/^'/, ""));
  }
});

const formulas = [..."=+-@＝＋－＠−"].map((sign) => `${sign}1`).concat("\t=1", "\r=1", " =1");
/** A spreadsheet would cut off the first zero, and the last figures. */
const figures = ["0212345", "01012345678", "15551234567890123", "1e309", "1,234.50"];
test.each([...formulas, ...figures])("%j is marked as text", (value) => {
  expect(cellsOf(csvLine([value]))).toEqual([`'${value.trim()}`]);
});

test("a row ends as Windows ends it, and every cell is quoted and else left as it is", () => {
  const row = csvLine(['그는 "네"라고', 32, "a,b\nc", "010-1234-5678", "1층 =입구", ""]);
  expect(row).toBe('"그는 ""네""라고","32","a,b\nc","010-1234-5678","1층 =입구",""\r\n');
});
