import { type FieldName, factsOf } from "#lib/application/fields.ts";
import { textMessage } from "#lib/application/messages.ts";
import { phoneProblem } from "#lib/application/phone.ts";
import { countCharacters } from "#lib/application/text.ts";

/**
 * What is wrong with a text that was typed, in a sentence: the rules that a browser's own checks do not know.
 * The schema of the server uses the same.
 */
export function fieldProblem(field: FieldName, typed: string): string | undefined {
  if (field === "phone") return phoneProblem(typed);
  const { maxCharacters, isOptional } = factsOf(field);
  if (maxCharacters === undefined) return undefined;
  const length = countCharacters(typed);
  const isMissing = length === 0 && !isOptional;
  return isMissing || length > maxCharacters ? textMessage(field) : undefined;
}
