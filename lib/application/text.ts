/** Makes typed text safe to store and to show, by Unicode's properties, which also hold for future characters. */

/** Line breaks of every kind: CR LF, CR, vertical tab, form feed, next line, line and paragraph separator. */
const LINE_BREAKS = /\r\n?|[\v\f\u0085\p{Zl}\p{Zp}]/gu;

/**
 * Characters that show nothing, or that steer the text around them: controls, format characters (bidirectional
 * marks, zero-width characters, tags), fillers, private use and noncharacters. Three more are blank without a
 * property that says so: the object replacement character, the empty Braille cell and the null notehead.
 */
const INVISIBLE =
  /[[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufffc\u2800\u{1d159}]--[\t\n\u200d\ufe0e\ufe0f]]/gv;
/** Zero-width joiners and variation selectors outside an emoji, where they mean nothing. */
const JOINER_OUTSIDE_EMOJI =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d|\u200d(?!\p{Extended_Pictographic})/gu;
const SELECTOR_OUTSIDE_EMOJI = /(?<!\p{Emoji})[\ufe0e\ufe0f]/gu;
/** Combining marks without a base character. */
const LONE_MARKS = /(?<=^|\s)\p{M}+/gu;

/** A visitor's text: well-formed, NFC, without invisible characters, trimmed, line breaks as `\n`. */
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

/** Cleans like cleanText, on one line: every run of white space becomes a single space. */
export function cleanLine(typed: string): string {
  return cleanText(typed).replace(/\s+/g, " ");
}

/** True for text with a letter or a digit: dots, dashes and emoji alone count as empty. */
export function hasLetterOrDigit(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** The length of a text for a person: by code point, so that an emoji is one character. */
export function countCharacters(text: string): number {
  return [...cleanText(text)].length;
}
