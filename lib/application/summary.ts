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

/** A link of more characters is cut by some phones; a Korean syllable is nine of them. */
const LINK_MAX_CHARACTERS = 2_000;

/** The text message of a filled-in application: the name, the summary, and of the message what a link can hold. */
export function applicationText(
  application: SummaryFields & { name: string; message?: string },
): string {
  const { name, message } = fieldCopy;
  const head = `${name.label}: ${application.name}\n${summarise(application)}`.toWellFormed();
  const words = (application.message ?? "").toWellFormed().trim();
  if (words === "") return head;
  const whole = `${head}\n${message.label}: ${words}`;
  if (encodeURIComponent(whole).length <= LINK_MAX_CHARACTERS) return whole;
  let shortened = `${head}\n${message.label}: `;
  let room = LINK_MAX_CHARACTERS - encodeURIComponent(`${shortened} ${message.cut}`).length;
  for (const character of words) {
    room -= encodeURIComponent(character).length;
    if (room < 0) break;
    shortened += character;
  }
  return `${shortened.trimEnd()} ${message.cut}`;
}
