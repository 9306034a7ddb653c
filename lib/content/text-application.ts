/** The text message by which a visitor can apply without a form. */
import { type FieldName, SUMMARY_FIELDS, shortFieldLabel } from "#lib/application/fields.ts";
import { withObjectParticle } from "#lib/content/korean-words.ts";

/** A text message shows its sender, so it needs no phone number. */
export const textApplicationFields: readonly FieldName[] = ["name", ...SUMMARY_FIELDS];

/** `이름, 성별, … 차량을` */
export const textApplicationLabelsWithParticle = withObjectParticle(
  textApplicationFields.map(shortFieldLabel).join(", "),
);

export function composeTextTemplate(values: Partial<Record<FieldName, string>> = {}): string {
  const lines = textApplicationFields.map(
    (field) => `${shortFieldLabel(field)}: ${values[field] ?? ""}`,
  );
  return ["운전연수 신청", ...lines].join("\n");
}

export const blankTextApplication = composeTextTemplate();
