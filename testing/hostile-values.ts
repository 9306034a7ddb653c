/**
 * What a stranger may type into a field, by kind. A name takes at most 50 characters, so that each value
 * is short enough for one where it can be. None of them may be refused that a person could have meant.
 */
import { HOSTILE_CHARACTERS, zalgo } from "#testing/hostile-characters.ts";
import { HOSTILE_INJECTIONS } from "#testing/hostile-injections.ts";

export const HOSTILE_VALUES: Readonly<Record<string, readonly string[]>> = {
  ...HOSTILE_CHARACTERS,
  ...HOSTILE_INJECTIONS,
};

/** Only in the message, which takes 1,000 characters. */
export const HOSTILE_MESSAGES: readonly string[] = [
  "가".repeat(1_000),
  "🚗".repeat(1_000),
  `${"\n".repeat(500)}끝`,
  "줄\n".repeat(499),
  "<script>".repeat(120),
  "https://evil.example ".repeat(45),
  zalgo("가", 200),
  `${"a".repeat(998)}\r\nBcc: x`.slice(0, 1_000),
  "\n.\n".repeat(300),
  "%00%0a%0d".repeat(100),
];
