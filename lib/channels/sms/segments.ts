/** Longest single SMS with Korean text. */
export const SINGLE_SMS_CHARACTERS = 70;
/** Most characters in one part of a longer SMS. A header takes the rest of the part. */
const PART_CHARACTERS = 67;
/** Four segments hold a few sentences, and limit the price of an application. */
export const MAX_SEGMENTS = 4;
export const SMS_MAX_CHARACTERS = MAX_SEGMENTS * PART_CHARACTERS;

export function countSegments(text: string): number {
  return text.length <= SINGLE_SMS_CHARACTERS ? 1 : Math.ceil(text.length / PART_CHARACTERS);
}
