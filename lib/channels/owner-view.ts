import { formatApplicationId } from "#lib/application/application-id.ts";
import {
  type Application,
  FIELD_NAMES,
  type FieldName,
  fieldFacts,
  formatFieldValue,
  ownerFieldLabel,
} from "#lib/application/fields.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { koreanDateWithWeekday } from "#lib/application/seoul-time.ts";
import { cleanLine } from "#lib/application/text.ts";
import { defangLinks } from "#lib/channels/defang-links.ts";
import { koreanCount } from "#lib/content/korean-words.ts";
import type { StoredApplication } from "#lib/storage/stored-application.ts";

const OUTSIDE_ROWS: readonly FieldName[] = ["name", "phone", "message"];

/**
 * Codes become labels, links are defanged, and every field except the message is on one line. `rows`: the filled-in
 * fields except name, phone and message (`성별/나이`, `여성/32`). `relations`: a sentence about an earlier application.
 */
export function prepareForOwner(stored: StoredApplication) {
  const { applicationId, application, submittedAt, earlierToday } = stored;
  const texts = Object.fromEntries(
    FIELD_NAMES.map((field) => [field, ownerText(field, application, submittedAt)]),
  ) as Record<FieldName, string>;
  const rows: { label: string; value: string; isOptional: boolean }[] = [];
  for (const field of FIELD_NAMES) {
    const { onLineOfPreviousField, isOptional = false } = fieldFacts(field);
    const row = { label: ownerFieldLabel(field), value: texts[field], isOptional };
    const last = rows.at(-1);
    if (OUTSIDE_ROWS.includes(field) || row.value === "") continue;
    if (onLineOfPreviousField && last) {
      last.label += `/${row.label}`;
      last.value += `/${row.value}`;
    } else {
      rows.push(row);
    }
  }
  const number = formatApplicationId(applicationId);
  const relations = earlierToday && [
    `오늘 ${koreanCount(earlierToday.count)} 번째 신청입니다(앞 신청 ${formatApplicationId(earlierToday.applicationId)}).`,
  ];
  return { ...texts, number, rows, relations: relations ?? [] };
}

/** The value of a field as people read it: `여성`, `010-1234-5678`. */
export function fieldText(field: FieldName, application: Application): string {
  if (field === "phone") return formatPhone(application.phone);
  return formatFieldValue(field, application[field]);
}

function ownerText(field: FieldName, application: Application, submittedAt: number): string {
  // The year is shown if it is not that of `submittedAt`. With today's year instead, a repeat in January would differ.
  if (field === "preferredDate")
    return koreanDateWithWeekday(application.preferredDate, submittedAt);
  const text = fieldText(field, application);
  return defangLinks(field === "message" ? text : cleanLine(text));
}
