/** The text message by which a visitor can apply without a form. */
import { type FieldName, SUMMARY_FIELDS, shortLabelOf } from "#lib/application/fields.ts";
import { withObjectParticle } from "#lib/content/copy.ts";

/** The fields of the text message. The phone number is none of them, because a text message shows its sender. */
export const textFields: readonly FieldName[] = ["name", ...SUMMARY_FIELDS];

/** The fields in a sentence, with an object particle: `이름, 성별, … 차량을`. */
export const textFieldList = withObjectParticle(textFields.map(shortLabelOf).join(", "));

/** One field per line. A field without a value stays blank. */
export function composeTextApplication(values: Partial<Record<FieldName, string>> = {}): string {
  const lines = textFields.map((field) => `${shortLabelOf(field)}: ${values[field] ?? ""}`);
  return ["운전연수 신청", ...lines].join("\n");
}

/** The text message that 문자로 신청하기 opens, with blank fields. */
export const blankApplication = composeTextApplication();
