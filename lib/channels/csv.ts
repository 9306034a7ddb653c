/** CSV for a spreadsheet: RFC 4180, and nothing in it is more than text. */
import { cleanText } from "#lib/application/text.ts";

/** Tells Excel that the file is UTF-8, and not in the encoding of its country. */
export const BOM = "\ufeff";
const LINE_END = "\r\n";

/** What a spreadsheet takes for the beginning of a formula, in every width. */
const FORMULA = /^\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b]/u;
/** What it takes for a number: it would cut off leading zeros and the last digits. */
const FIGURES = /^[\d.,]*\d(?:e[+-]?\d+)?$/i;

/**
 * What a visitor wrote, for one cell. What a spreadsheet would evaluate, or shorten as a number, gets an
 * apostrophe in front, which marks text; nothing behind it is left out.
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
