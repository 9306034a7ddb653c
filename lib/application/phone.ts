/** The rules for phone numbers, in browser and server: the Korean numbering plan, and foreign numbers with a plus. */
import { phoneProblems } from "#lib/application/messages.ts";
import { cleanLine } from "#lib/application/text.ts";

const KOREAN_NUMBER_PATTERNS = [
  /^0[17]0\d{8}$/,
  /^02\d{7,8}$/,
  /^0(?:3[1-3]|4[1-4]|5[1-5]|6[1-4]|80)\d{7,8}$/,
  /^050\d{8,9}$/,
  /^1[568]\d{6}$/,
];
const AREA_CODE_PATTERN = /^(?:02|050\d|0\d\d)/;
const INTERNATIONAL_NUMBER_PATTERN = /^\+[1-9]\d{7,14}$/;

/**
 * Characters that may separate digits. The normalised `ㅡ` and `ㆍ` of a Korean keyboard look like a hyphen and a dot.
 * Characters that may join two numbers or replace a missing digit are excluded.
 */
const SEPARATOR_PATTERN = /[[\s\p{P}\p{S}\p{M}ー一\u1173\u119e]--[+\/,;~∼〜*#\&\|?]]/gv;
/** A zero that is not dialled after a country code: `+44 (0)20 …`. */
const BRACKETED_ZERO_PATTERN = /(?<=\+.*)\(0\)/;
/** Korea's country code. The plus may be missing: no complete Korean number starts with 82. */
const COUNTRY_CODE_PATTERN = /^(?:\+|00)?820?/;

/** `010-1234-5678` → `+821012345678`, `1588-1234` → `15881234`; undefined for an invalid number. */
export function normalisePhone(typed: string): string | undefined {
  const dialled = asDialledInKorea(typed);
  if (isKorean(dialled)) return dialled.replace(/^0/, "+82");
  return INTERNATIONAL_NUMBER_PATTERN.test(dialled) && !dialled.startsWith("+82")
    ? dialled
    : undefined;
}

export function describePhoneProblem(typed: string): string {
  return /^010\d*$/.test(asDialledInKorea(typed)) ? phoneProblems.mobile : phoneProblems.other;
}

/** `010-1234-5678`, `02-123-4567`; a foreign number without separators. Any other text is returned unchanged. */
export function formatPhone(phone: string): string {
  const stored = normalisePhone(phone);
  if (stored === undefined) return phone;
  const digits = stored.replace(/^\+82/, "0");
  if (digits.startsWith("+")) return digits;
  return digits.replace(AREA_CODE_PATTERN, "$&-").replace(/\d{4}$/, "-$&");
}

/** The digits as dialled in Korea, with 0 instead of +82. A foreign number keeps its plus. */
function asDialledInKorea(typed: string): string {
  const plain = cleanLine(typed)
    .normalize("NFKC")
    .replace(BRACKETED_ZERO_PATTERN, "")
    .replace(SEPARATOR_PATTERN, "")
    .replace(/\p{Nd}/gu, asciiDigit);
  const national = plain.replace(COUNTRY_CODE_PATTERN, "");
  if (national === plain) return plain;
  return isKorean(national) ? national : `0${national}`;
}

/** Converts a digit of any script to ASCII. Unicode has the ten digits of each script in a row. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

const isKorean = (dialled: string) => KOREAN_NUMBER_PATTERNS.some((kind) => kind.test(dialled));
