/**
 * The notation of copy: `⏎` is a line break, `⏎m` one on phones (under 768 px), `⏎d` one from 1024 px on, and `[words]`
 * stay on one line. Everything else is plain text.
 */
export const COPY_NOTATION = /(⏎[md]?|\[[^\]]*\])/;

/** One line of plain text, for labels and metadata. */
export function plainCopy(copy: string): string {
  return copy
    .replace(/⏎[md]?/g, " ")
    .replace(/[[\]]/g, "")
    .replace(/ {2,}/g, " ");
}

/** `{n} / 6` with `{ n: 2 }` is `2 / 6`. */
export function fillPlaceholders(copy: string, values: Record<string, string | number>): string {
  return copy.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
}
