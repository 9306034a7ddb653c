/**
 * The notation of texts: `⏎` is a line break, `⏎m` one on phones (under 768 px), `⏎d` one from 1024 px on, and
 * `[words]` stay on one line. Everything else is plain text.
 */
export const TEXT_NOTATION_PATTERN = /(⏎[md]?|\[[^\]]*\])/;

/** One line of plain text, for labels and metadata. */
export function plainText(text: string): string {
  return text
    .replace(/⏎[md]?/g, " ")
    .replace(/[[\]]/g, "")
    .replace(/ {2,}/g, " ");
}

/** `{n} / 6` with `{ n: 2 }` is `2 / 6`. */
export function fillPlaceholders(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
