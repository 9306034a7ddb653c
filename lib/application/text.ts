/**
 * Characters that a person does not type and that can deceive a reader: controls (but tab and line
 * breaks), bidirectional marks, embeddings, overrides and isolates, zero-width characters other than
 * the joiner that emoji need, the byte-order mark, line and paragraph separators, tag characters.
 */
const DECEIVING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const JOINER_OUTSIDE_EMOJI =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

/** Visitor text, safe to keep: well-formed, NFC, without deceiving characters, trimmed, line breaks as `\n`. */
export function cleanText(typed: string): string {
  return typed
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(DECEIVING, "")
    .replace(JOINER_OUTSIDE_EMOJI, "")
    .normalize("NFC")
    .trim();
}

/** The same on one line: every run of white space becomes a single space. */
export function cleanLine(typed: string): string {
  return cleanText(typed).replace(/\s+/g, " ");
}
