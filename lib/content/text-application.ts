/** The application by text message: what it has to name, the same wherever the site speaks of it. */
import { type FieldName, SUMMARY_FIELDS, shortLabelOf } from "#lib/application/fields.ts";
import { asObject } from "#lib/content/copy.ts";

/** The number of its sender comes with it. */
export const textItems: readonly FieldName[] = ["name", ...SUMMARY_FIELDS];

/** The items with an object particle, for the end of a sentence: `이름, 성별, … 차량을`. */
export const textItemList = asObject(textItems.map(shortLabelOf).join(", "));

/** A message with one item a line, filled in as far as values are given. */
export function textApplication(values: Partial<Record<FieldName, string>> = {}): string {
  const lines = textItems.map((field) => `${shortLabelOf(field)}: ${values[field] ?? ""}`);
  return ["운전연수 신청", ...lines].join("\n");
}

/** The empty form that 문자로 신청하기 puts into the visitor's message app. */
export const blankApplication = textApplication();
