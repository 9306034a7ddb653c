/** `34`, `３４ 세`, `만 34살` and `34.0` → 34; NaN for text that is no age. */
export function parseAge(typed: string): number {
  const [, digits] = /^만? ?(\d{1,3})(?:\.0+)? ?[세살]?$/.exec(typed.normalize("NFKC")) ?? [];
  return Number(digits);
}
