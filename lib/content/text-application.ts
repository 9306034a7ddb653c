/** Texts for an application by text message, with the fields that the message must name. */
import { type FieldName, SUMMARY_FIELDS, shortLabelOf } from "#lib/application/fields.ts";
import { withObjectParticle } from "#lib/content/copy.ts";

/** The fields of such a message, without the phone number: a text message brings its sender's number. */
export const textFields: readonly FieldName[] = ["name", ...SUMMARY_FIELDS];

/** The items with an object particle, for the end of a sentence: `이름, 성별, … 차량을`. */
export const textFieldList = withObjectParticle(textFields.map(shortLabelOf).join(", "));

/** A message with one item per line. Items without a value stay blank. */
export function composeTextApplication(values: Partial<Record<FieldName, string>> = {}): string {
  const lines = textFields.map((field) => `${shortLabelOf(field)}: ${values[field] ?? ""}`);
  return ["운전연수 신청", ...lines].join("\n");
}

/** The empty form that 문자로 신청하기 puts into the visitor's message app. */
export const blankApplication = composeTextApplication();
