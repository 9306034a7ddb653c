const MAX_CHARACTERS = 200;
/** Cleaning takes quadratic time, and an SMTP reply may be a megabyte long. */
const MAX_CHARACTERS_READ = 2_000;
const ADDRESS_PATTERN = /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/gu;
const LONG_NUMBER = /\+?\d(?:[\s().-]?\d){7,}/g;
const WORD = /[\p{L}\p{N}]{2,}/gu;
const NOT_ASCII = /[^\x20-\x7e]+/g;

/** Removes addresses, numbers and words of the message, because some providers quote them in their answers. */
export function redactProviderText(answer: string, message: string): string {
  const messageWords = new Set(message.match(WORD));
  const text = answer
    .slice(0, MAX_CHARACTERS_READ)
    .replace(/\s+/g, " ")
    .replace(ADDRESS_PATTERN, "…")
    .replace(LONG_NUMBER, "…")
    .replace(WORD, (word) => (messageWords.has(word) ? "…" : word))
    .replace(NOT_ASCII, "…")
    .trim();
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS - 1)}…`;
}

/** Longer words of a provider would push the rest of an alarm out of a text message. */
const MAX_QUOTED_CHARACTERS = 80;

/** `… 확인해 주세요. (550 5.1.1 User unknown)` */
export const withProviderWords = (advice: string, words: string) =>
  `${advice} (${words.slice(0, MAX_QUOTED_CHARACTERS)})`;
