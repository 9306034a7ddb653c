/** Makes typed text safe to store and to show. It uses Unicode's properties, which also cover future characters. */

/** CR LF, CR, vertical tab, form feed, next line, line and paragraph separator. */
const LINE_BREAKS = /\r\n?|[\v\f\u0085\p{Zl}\p{Zp}]/gu;

/**
 * Characters that are invisible or that change the text around them. Three are blank although no property says so: the
 * object replacement character, the empty Braille cell and the null notehead.
 */
const INVISIBLE =
  /[[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufffc\u2800\u{1d159}]--[\t\n\u200d\ufe0e\ufe0f]]/gv;
/** Zero-width joiners and variation selectors that are not part of an emoji. */
const JOINER_OUTSIDE_EMOJI =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
const SELECTOR_OUTSIDE_EMOJI = /(?<!\p{Emoji})[\ufe0e\ufe0f]/gu;
const LONE_MARKS = /(?<=^|\s)\p{M}+/gu;

/** Cleans a visitor's text: well-formed NFC, no invisible characters, trimmed, line breaks as `\n`. */
export function cleanText(typed: string): string {
  return typed
    .toWellFormed()
    .replace(LINE_BREAKS, "\n")
    .replace(INVISIBLE, "")
    .replace(SELECTOR_OUTSIDE_EMOJI, "")
    .replace(JOINER_OUTSIDE_EMOJI, "")
    .normalize("NFC")
    .replace(LONE_MARKS, "")
    .trim();
}

/** Like cleanText, but on one line: white space becomes a single space. */
export const cleanLine = (typed: string) => cleanText(typed).replace(/\s+/g, " ");

/** False for text of punctuation and emoji alone. */
export const hasLetterOrDigit = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** The length in code points, so that an emoji is one character. */
export const countCharacters = (text: string) => [...cleanText(text)].length;
