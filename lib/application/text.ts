/** Makes typed text safe to store and to show. Unicode's properties also cover future characters. */

const LINE_BREAK_PATTERN = /\r\n?|[\v\f\u0085\p{Zl}\p{Zp}]/gu;

/**
 * Characters that are invisible or private, or change the text around them. Three blank ones have none of these
 * properties, so they are listed: the object replacement character, the empty Braille cell and the null notehead.
 */
const INVISIBLE_CHARACTER_PATTERN =
  /[[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufffc\u2800\u{1d159}]--[\t\n\u200d\ufe0e\ufe0f]]/gv;
const JOINER_OUTSIDE_EMOJI_PATTERN =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
const SELECTOR_OUTSIDE_EMOJI_PATTERN = /(?<!\p{Emoji})[\ufe0e\ufe0f]/gu;
const LONE_COMBINING_MARKS_PATTERN = /(?<=^|\s)\p{M}+/gu;

/** Cleans a visitor's text: well-formed NFC, no invisible characters, trimmed, line breaks as `\n`. */
export function cleanText(typed: string): string {
  return typed
    .toWellFormed()
    .replace(LINE_BREAK_PATTERN, "\n")
    .replace(INVISIBLE_CHARACTER_PATTERN, "")
    .replace(SELECTOR_OUTSIDE_EMOJI_PATTERN, "")
    .replace(JOINER_OUTSIDE_EMOJI_PATTERN, "")
    .normalize("NFC")
    .replace(LONE_COMBINING_MARKS_PATTERN, "")
    .trim();
}

export const cleanLine = (typed: string) => cleanText(typed).replace(/\s+/g, " ");

export const hasLetterOrDigit = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** Counts code points: most emoji count as one character, but a family or a flag as several. */
export const countCharacters = (text: string) => [...cleanText(text)].length;
