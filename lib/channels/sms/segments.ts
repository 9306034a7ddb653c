/** What a text message costs: it is paid for by the segment. */

/** What one SMS holds when it is not plain ASCII. */
export const SMS_CHARACTERS = 70;
/** What each part holds of one that is cut: the rest says how the parts belong together. */
const PART_CHARACTERS = 67;
/** Enough for a few sentences of the visitor's, and a known price per application. */
export const MOST_SEGMENTS = 4;
export const SMS_MAX_CHARACTERS = MOST_SEGMENTS * PART_CHARACTERS;

/** What a text costs one recipient. */
export function segmentsOf(text: string): number {
  return text.length <= SMS_CHARACTERS ? 1 : Math.ceil(text.length / PART_CHARACTERS);
}
