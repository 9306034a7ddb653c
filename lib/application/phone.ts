import { PHONE_MAX_DIGITS, PHONE_MIN_DIGITS } from "#lib/application/fields.ts";

const FULL_WIDTH = /[０-９＋－．（）　]/g;
const SEPARATORS = /[\s().\-‐‑‒–—]/g;

/**
 * A phone number as a person types it → as it is stored, or undefined when it is none.
 * Spaces, hyphens, dots and brackets go; full-width digits become plain ones; a Korean number
 * (0…, +82…, 0082…) becomes E.164 (`+821012345678`), any other keeps its digits and its plus.
 */
export function normalisePhone(typed: string): string | undefined {
  const plain = typed
    .replace(FULL_WIDTH, (character) => character.normalize("NFKC"))
    .replace(SEPARATORS, "");
  if (!/^\+?\d+$/.test(plain)) return undefined;
  const digits = plain.replace("+", "");
  if (digits.length < PHONE_MIN_DIGITS || digits.length > PHONE_MAX_DIGITS) return undefined;

  const national = nationalDigits(plain);
  return national === undefined ? plain : `+82${national}`;
}

/** The digits of a Korean number behind its country code or trunk zero, or undefined if it is not Korean. */
function nationalDigits(plain: string): string | undefined {
  const match = /^(?:\+82|0082|0)0?([1-9]\d{6,10})$/.exec(plain);
  return match?.[1];
}

/** A stored number → as people read it: `010-1234-5678`; one that is not Korean stays as it is. */
export function formatPhone(stored: string): string {
  const national = nationalDigits(stored);
  if (national === undefined) return stored;
  const digits = `0${national}`;
  const area = digits.startsWith("02") ? 2 : digits.startsWith("050") ? 4 : 3;
  const last = digits.length - 4;
  if (last <= area) return digits;
  return `${digits.slice(0, area)}-${digits.slice(area, last)}-${digits.slice(last)}`;
}
