import {
  FIELD_NAMES,
  type FieldName,
  fieldFacts,
  formatFieldValue,
  ownerFieldLabel,
  SUMMARY_FIELDS,
} from "#lib/application/fields.ts";
import { applicationFormTexts } from "#lib/content/application-form.ts";

type Values = Readonly<Partial<Record<FieldName, string | number>>>;

/** The one-line summary: `운전연수 신청: 여성/32/이천/2026-12-01/평일/오전/자차`. */
export function summaryLine(values: Values): string {
  const parts = SUMMARY_FIELDS.map((field) => formatFieldValue(field, values[field] ?? ""));
  return `운전연수 신청: ${parts.filter(Boolean).join("/")}`;
}

/** Some phones cut a longer link. A Korean syllable takes nine characters of it. */
const LINK_MAX_CHARACTERS = 2_000;

/** Fields with a line of their own. The phone number has none: it is, as a rule, the sender of the text message. */
const LINE_FIELDS = FIELD_NAMES.filter(
  (field) => field !== "phone" && !fieldFacts(field).inSummary,
);

/** Android takes these characters for parts of the `sms:` link: the text would end at its first `&`. */
const UNSAFE_IN_LINK_PATTERN = /[%&+]/g;
const FULL_WIDTH_OFFSET = 0xfee0;

/** The application as a text message: name, summary and message. */
export function composeApplicationTextMessage(values: Values): string {
  const [name = "", ...others] = LINE_FIELDS.flatMap((field) => {
    const value = formatFieldValue(field, values[field] ?? "").trim();
    return value === "" ? [] : `${ownerFieldLabel(field)}: ${value}`;
  });
  return [name, summaryLine(values), ...others].join("\n").toWellFormed();
}

/** As much of a text message as an `sms:` link can hold. */
export function fitIntoLink(text: string): string {
  const whole = text.replace(UNSAFE_IN_LINK_PATTERN, (character) =>
    String.fromCodePoint((character.codePointAt(0) ?? 0) + FULL_WIDTH_OFFSET),
  );
  if (encodeURIComponent(whole).length <= LINK_MAX_CHARACTERS) return whole;
  const ending = ` ${applicationFormTexts.cut}`;
  let room = LINK_MAX_CHARACTERS - encodeURIComponent(ending).length;
  let kept = "";
  for (const character of whole) {
    room -= encodeURIComponent(character).length;
    if (room < 0) break;
    kept += character;
  }
  return `${kept.trimEnd()}${ending}`;
}
