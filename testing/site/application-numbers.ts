import { parseApplicationId } from "#lib/application/application-id.ts";

/** Matches a displayed application number that is not part of a phone number. */
const SHOWN_NUMBER_PATTERN = /(?<![\d-])[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}(?![\d-])/g;

/** The application numbers in a string, as the store has them. */
export function extractApplicationIds(text: string): string[] {
  return (text.match(SHOWN_NUMBER_PATTERN) ?? []).flatMap(
    (shown) => parseApplicationId(shown) ?? [],
  );
}

/** The first application number in a string, with its hyphen. */
export function extractApplicationNumber(text: string | null): string {
  const [number] = text?.match(SHOWN_NUMBER_PATTERN) ?? [];
  if (!number) throw new Error(`no application number in: ${text}`);
  return number;
}
