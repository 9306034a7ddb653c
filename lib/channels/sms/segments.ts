/** Length of a single SMS that is not plain ASCII. */
export const SINGLE_SMS_CHARACTERS = 70;
/** Length of one part of a longer SMS, whose header takes the rest. */
const PART_CHARACTERS = 67;
/** Four segments hold a few sentences, and limit the price of an application. */
export const MAX_SEGMENTS = 4;
export const SMS_MAX_CHARACTERS = MAX_SEGMENTS * PART_CHARACTERS;

export function countSegments(text: string): number {
  return text.length <= SINGLE_SMS_CHARACTERS ? 1 : Math.ceil(text.length / PART_CHARACTERS);
}
