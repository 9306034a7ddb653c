import { parseApplicationId } from "#lib/application/application-id.ts";

/** A number as people see it, not a part of a phone number. */
const SHOWN = /(?<![\d-])[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}(?![\d-])/g;

/** The application numbers in a text for people, as they are stored. */
export function numbersIn(text: string): string[] {
  return (text.match(SHOWN) ?? []).flatMap((shown) => parseApplicationId(shown) ?? []);
}

/** The first of them, as it is shown. */
export function numberIn(text: string | null): string {
  const [number] = text?.match(SHOWN) ?? [];
  if (!number) throw new Error(`no application number in: ${text}`);
  return number;
}
