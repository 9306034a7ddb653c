/** Wishes come first in the message, so that a shortened message still has its wishes. */
import { wishes } from "#lib/content/wishes.ts";

const ANY_WISH = wishes.map(({ words }) => words).join("|");
const CAR_WISHES = wishes.filter(({ car }) => car !== undefined).map(({ words }) => words);
const LEADING_WISHES_PATTERN = new RegExp(`^(?:${ANY_WISH})(?:, (?:${ANY_WISH}))*(?=[\\s,.]|$)`);

/** Matches the wish as a separate phrase: `여성 강사 희망`, but not `여성 강사 희망합니다`. */
const wishPattern = (words: string) => new RegExp(`(^|\\n|, ?)${words}(\\n|,? |\\.|$)`);

export const hasWish = (message: string, words: string) => wishPattern(words).test(message);

/** A message has only one wish about a car, so a wish for another car replaces it. */
export function withWish(message: string, words: string): string {
  if (hasWish(message, words)) return message;
  const others = CAR_WISHES.includes(words) ? withoutCarWish(message) : message;
  if (LEADING_WISHES_PATTERN.test(others))
    return others.replace(LEADING_WISHES_PATTERN, (leading) => `${leading}, ${words}`);
  return others === "" ? words : `${words}\n${others}`;
}

export const withoutCarWish = (message: string) => CAR_WISHES.reduce(withoutWish, message);

export function withoutWish(message: string, words: string): string {
  return message.replace(wishPattern(words), (_, before: string, after: string) => {
    if (before === "" || after === "") return "";
    return before.startsWith(",") && !after.startsWith(",") ? after : before;
  });
}
