/** Text for a terminal: nothing in it moves the cursor, turns the line around or hides. */
import stringWidth from "string-width";
import { cleanLine, cleanText } from "#lib/application/text.ts";

const ELLIPSIS = "…";
const BETWEEN_COLUMNS = "  ";
const graphemes = new Intl.Segmenter("ko", { granularity: "grapheme" });

/** What a visitor wrote, on one line. */
export function forTerminal(text: string): string {
  return cleanLine(text);
}

/** What a visitor wrote, line by line. */
export function linesForTerminal(text: string): string[] {
  return cleanText(text).split("\n").map(cleanLine);
}

/** Cut to so many columns of the terminal: a Hangul syllable takes two of them. */
export function shorten(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(kept + segment) > columns - 1) break;
    kept += segment;
  }
  return kept + ELLIPSIS;
}

/** Rows with aligned columns. */
export function table(rows: readonly (readonly string[])[]): string[] {
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

/** JSON for programs. Invisible and control characters are escaped, so that it is harmless in a terminal. */
export function json(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    /[^\P{C}\n]|[\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
      ).join(""),
  );
}
