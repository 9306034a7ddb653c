import stringWidth from "string-width";
import { cleanLine } from "#lib/application/text.ts";

const BETWEEN_COLUMNS = "  ";

/** Aligns columns in a terminal, where a Hangul syllable is as wide as two letters. No cell can move the cursor. */
export function formatTable(texts: readonly (readonly string[])[]): string[] {
  const rows = texts.map((row) => row.map(cleanLine));
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((widest, row) => Math.max(widest, stringWidth(row[column] ?? "")), 0),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - stringWidth(cell)))
      .join(BETWEEN_COLUMNS)
      .trimEnd(),
  );
}
