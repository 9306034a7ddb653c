import fc from "fast-check";

const within = (min: number, max: number) => fc.integer({ min, max });

/**
 * Arbitrary strings: Hangul, ASCII, characters that reverse or hide others, and every other code point, including lone
 * surrogates. The strings of fast-check itself take two seconds to prepare.
 */
export function anyText(limits: { minLength?: number; maxLength?: number } = {}) {
  const codePoint = fc.oneof(
    within(0xac00, 0xd7a3),
    within(0x00, 0x7f),
    within(0x2000, 0x206f),
    within(0xd800, 0xdfff),
    within(0x00, 0x10ffff),
  );
  return fc.array(codePoint, limits).map((points) => String.fromCodePoint(...points));
}
