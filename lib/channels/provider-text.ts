/** Cleans a provider's message for the log: of addresses, numbers, and the words that were sent, which some quote. */
const LONGEST = 200;
/**
 * Longest text that is cleaned: cleaning takes time by the square of the length, and an SMTP reply may have a
 * megabyte.
 */
const LONGEST_READ = 2_000;
const ADDRESS = /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/gu;
const NUMBER = /\+?\d(?:[\s().-]?\d){7,}/g;
const WORD = /[\p{L}\p{N}]{2,}/gu;
const NOT_ASCII = /[^\x20-\x7e]+/g;

export function cleanProviderText(said: string, sent: string): string {
  const own = new Set(sent.match(WORD));
  const text = said
    .slice(0, LONGEST_READ)
    .replace(/\s+/g, " ")
    .replace(ADDRESS, "…")
    .replace(NUMBER, "…")
    .replace(WORD, (word) => (own.has(word) ? "…" : word))
    .replace(NOT_ASCII, "…")
    .trim();
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
