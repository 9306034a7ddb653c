/** Wishes come first in the message, so that a shortened message still has its wishes. */
import { wishes } from "#lib/content/wishes.ts";

const ANY_WISH = wishes.map(({ words }) => words).join("|");
const LEADING_WISHES_PATTERN = new RegExp(`^(?:${ANY_WISH})(?:, (?:${ANY_WISH}))*(?=[\\s,.]|$)`);

/** Matches the wish as a separate phrase: `여성 강사 희망`, but not `여성 강사 희망합니다`. */
const wishPattern = (words: string) => new RegExp(`(^|\\n|, ?)${words}(\\n|,? |\\.|$)`);

export const hasWish = (message: string, words: string) => wishPattern(words).test(message);

export function withWish(message: string, words: string): string {
  if (hasWish(message, words)) return message;
  if (LEADING_WISHES_PATTERN.test(message))
    return message.replace(LEADING_WISHES_PATTERN, (leading) => `${leading}, ${words}`);
  return message === "" ? words : `${words}\n${message}`;
}

export function withoutWish(message: string, words: string): string {
  return message.replace(wishPattern(words), (_, before: string, after: string) => {
    if (before === "" || after === "") return "";
    return before.startsWith(",") && !after.startsWith(",") ? after : before;
  });
}
