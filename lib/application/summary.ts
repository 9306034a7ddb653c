import {
  CAR_TYPES,
  DAY_TYPES,
  type FieldName,
  GENDERS,
  labelOf,
  TIME_SLOTS,
} from "#lib/application/fields.ts";
import { fieldCopy } from "#lib/content/application-form.ts";

/** An application, or the values of a form as they stand: options by code or by label. */
type SummaryFields = Record<
  Extract<FieldName, "gender" | "region" | "preferredDate" | "dayType" | "timeSlot" | "carType">,
  string
> & { age: number | string };

/**
 * The one-line text summary of an application, as the visitor sees and texts it:
 * `운전연수 신청: 여성/32/이천/2026-12-01/평일/오전/자차`.
 */
export function summarise(application: SummaryFields): string {
  const parts = [
    labelOf(GENDERS, application.gender),
    application.age,
    application.region,
    application.preferredDate,
    labelOf(DAY_TYPES, application.dayType),
    labelOf(TIME_SLOTS, application.timeSlot),
    labelOf(CAR_TYPES, application.carType),
  ];
  return `운전연수 신청: ${parts.join("/")}`;
}

/** The text message of a filled-in application: the name, then the summary. */
export function applicationText(application: SummaryFields & { name: string }): string {
  return `${fieldCopy.name.label}: ${application.name}\n${summarise(application)}`;
}
