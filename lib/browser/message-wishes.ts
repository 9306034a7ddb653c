/** Wishes come first in the message, so that a shortened message still has its wishes. */
import { wishes } from "#lib/content/wishes.ts";

const ANY = wishes.map(({ words }) => words).join("|");
const LEADING = new RegExp(`^(?:${ANY})(?:, (?:${ANY}))*(?=[\\s,.]|$)`);

/** Matches the wish as a separate phrase: `여성 강사 희망`, but not `여성 강사 희망합니다`. */
const itemOf = (words: string) => new RegExp(`(^|\\n|, ?)${words}(\\n|,? |\\.|$)`);

export const hasWish = (message: string, words: string) => itemOf(words).test(message);

export function withWish(message: string, words: string): string {
  if (hasWish(message, words)) return message;
  if (LEADING.test(message)) return message.replace(LEADING, (leading) => `${leading}, ${words}`);
  return message === "" ? words : `${words}\n${message}`;
}

export function withoutWish(message: string, words: string): string {
  return message.replace(itemOf(words), (_, before: string, after: string) => {
    if (before === "" || after === "") return "";
    return before.startsWith(",") && !after.startsWith(",") ? after : before;
  });
}
