import {
  type FieldName,
  MESSAGE_MAX_CHARACTERS,
  NAME_MAX_CHARACTERS,
} from "#lib/application/fields.ts";
import { textMessages } from "#lib/application/messages.ts";
import { phoneProblem } from "#lib/application/phone.ts";
import { cleanLine, countCharacters } from "#lib/application/text.ts";

/**
 * What is wrong with a text that was typed, in a sentence: the rules that a browser's own checks do not know.
 * The schema of the server uses the same.
 */
export function fieldProblem(field: FieldName, typed: string): string | undefined {
  switch (field) {
    case "name": {
      const length = countCharacters(cleanLine(typed));
      return length >= 1 && length <= NAME_MAX_CHARACTERS ? undefined : textMessages.name;
    }
    case "phone":
      return phoneProblem(typed);
    case "message":
      return countCharacters(typed) <= MESSAGE_MAX_CHARACTERS ? undefined : textMessages.message;
    default:
      return undefined;
  }
}
