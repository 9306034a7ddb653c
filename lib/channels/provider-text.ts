const MAX_CHARACTERS = 200;
/** Cleaning takes quadratic time, and an SMTP reply may be a megabyte long. */
const MAX_CHARACTERS_READ = 2_000;
const ADDRESS_PATTERN = /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/gu;
const LONG_NUMBER_PATTERN = /\+?\d(?:[\s().-]?\d){7,}/g;
const WORD_PATTERN = /[\p{L}\p{N}]{2,}/gu;
const NON_ASCII_PATTERN = /[^\x20-\x7e]+/g;

/** Removes addresses, numbers and words of the message, because some providers quote them in their answers. */
export function redactProviderText(answer: string, message: string): string {
  const messageWords = new Set(message.match(WORD_PATTERN));
  const text = answer
    .slice(0, MAX_CHARACTERS_READ)
    .replace(/\s+/g, " ")
    .replace(ADDRESS_PATTERN, "…")
    .replace(LONG_NUMBER_PATTERN, "…")
    .replace(WORD_PATTERN, (word) => (messageWords.has(word) ? "…" : word))
    .replace(NON_ASCII_PATTERN, "…")
    .trim();
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`;
}

/** Longer words of a provider would push the rest of an alarm out of a text message. */
const MAX_QUOTED_CHARACTERS = 80;

/** `… 확인해 주세요. (550 5.1.1 User unknown)` */
export const withProviderWords = (advice: string, words: string) =>
  `${advice} (${words.slice(0, MAX_QUOTED_CHARACTERS)})`;
