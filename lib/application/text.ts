/**
 * Characters that a person does not type and that can deceive a reader: controls (but tab and line
 * breaks), format characters (bidirectional marks, zero-width characters, tags, the byte-order mark),
 * fillers and whatever else shows nothing, line and paragraph separators. The zero-width joiner and the
 * variation selectors stay for the emoji that need them.
 */
const DECEIVING =
  /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\t\n\u200d\ufe00-\ufe0f]]/gv;
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

/** How long a text is for a person: by code point, so that an emoji is one character. */
export function countCharacters(text: string): number {
  return [...cleanText(text)].length;
}
