/**
 * Characters that a person does not type and that can deceive a reader: controls (but tab and line
 * breaks), format characters (bidirectional marks, zero-width characters, tags, the byte-order mark),
 * line and paragraph separators. The zero-width joiner stays for the emoji that need it.
 */
const DECEIVING = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\t\n\u200d]]/gv;
const JOINER_OUTSIDE_EMOJI =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

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
