/** CSV for a spreadsheet: RFC 4180, and nothing in it is more than text. */
import { cleanText } from "#lib/application/text.ts";

/** By this Excel knows that the file is UTF-8 and not the encoding of its country. */
export const BOM = "\ufeff";
const LINE_END = "\r\n";

/** What a spreadsheet takes for the beginning of a formula, in every width. */
const FORMULA = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b]/u;
/** What it takes for a number, and cuts leading zeros and the last digits off. */
const FIGURES = /^[\d.,]*\d(?:e[+-]?\d+)?$/i;

/**
 * What a visitor wrote, for one cell: text that a spreadsheet would work out, or shorten as a number,
 * begins with an apostrophe, which marks text. Behind it the value is whole.
 */
export function inertCell(text: string): string {
  const clean = cleanText(text);
  return FORMULA.test(text) || FORMULA.test(clean) || FIGURES.test(clean) ? `'${clean}` : clean;
}

/** A row. Every cell is quoted, so that no character in it ends the cell in any program. */
export function csvLine(cells: readonly (string | number)[]): string {
  const quoted = cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`);
  return quoted.join(",") + LINE_END;
}
