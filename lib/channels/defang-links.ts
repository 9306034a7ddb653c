const AFTER_SCHEME_PATTERN = /(?<=[a-z0-9+.-]):\/+|:\/{2,}/giu;
const DOT_BEFORE_LETTER_PATTERN = /(?<=[\p{L}\p{N}_-])[.．。｡․](?=[\p{L}_])/gu;
const FOUR_NUMBERS_PATTERN = /\b(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\b/g;

/** `https://x.kr/a` → `https x kr/a`, `me@x.kr` → `me@x kr`. Amounts and dates stay unchanged (3.5, 2026.12.1). */
export function defangLinks(text: string): string {
  return text
    .replace(AFTER_SCHEME_PATTERN, " ")
    .replace(DOT_BEFORE_LETTER_PATTERN, " ")
    .replace(FOUR_NUMBERS_PATTERN, "$1 $2 $3 $4");
}
