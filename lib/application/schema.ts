import { z } from "zod";
import { fieldProblem } from "#lib/application/field-problem.ts";
import {
  AGE_MAX_YEARS,
  AGE_MIN_YEARS,
  type Application,
  CAR_TYPES,
  DAY_TYPES,
  FIELD_NAMES,
  type FieldName,
  type FormName,
  GENDERS,
  type Option,
  TIME_SLOTS,
} from "#lib/application/fields.ts";
import { phoneMessages, textMessages } from "#lib/application/messages.ts";
import { normalisePhone, phoneProblem } from "#lib/application/phone.ts";
import { isCalendarDate } from "#lib/application/seoul-time.ts";
import { cleanLine, cleanText } from "#lib/application/text.ts";
import { formRegions } from "#lib/content/regions.ts";

/** What the server says when a field is missing or wrong. The browser's own words come first in the form. */
const fieldMessages = {
  ...textMessages,
  phone: phoneMessages.other,
  gender: "성별을 골라 주세요.",
  age: "나이는 {min}~{max} 사이의 숫자로 적어 주세요.",
  region: "연수 지역을 골라 주세요.",
  preferredDate: "희망 날짜를 다시 골라 주세요.",
  dayType: "요일을 골라 주세요.",
  timeSlot: "시간대를 골라 주세요.",
  carType: "연수 차량을 골라 주세요.",
} as const satisfies Record<FieldName, string>;

/** An option named by its code or by its Korean label → its code. */
function option<const Options extends readonly [Option, ...Option[]]>(
  options: Options,
  message: string,
) {
  return z.string(message).transform((named, context): Options[number]["code"] => {
    const cleaned = cleanLine(named);
    const match = options.find(({ code, label }) => cleaned === code || cleaned === label);
    if (match) return match.code;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
}

/** A whole number, as a number or as a numeric text of at most three digits. */
function age(form: FormName) {
  const max = AGE_MAX_YEARS[form];
  const message = fieldMessages.age
    .replace("{min}", String(AGE_MIN_YEARS))
    .replace("{max}", String(max));
  const numericText = z
    .string()
    .transform((text) => cleanLine(text.slice(0, 20)).normalize("NFKC"))
    .pipe(z.string().regex(/^\d{1,3}$/, message))
    .transform(Number);
  return z
    .union([z.number(), numericText], message)
    .pipe(z.int(message).min(AGE_MIN_YEARS, message).max(max, message));
}

const name = z
  .string(fieldMessages.name)
  .transform(cleanLine)
  .refine((text) => fieldProblem("name", text) === undefined, fieldMessages.name);

const phone = z.string(fieldMessages.phone).transform((typed, context) => {
  const normalised = normalisePhone(typed);
  if (normalised !== undefined) return normalised;
  context.addIssue({ code: "custom", message: phoneProblem(typed) });
  return z.NEVER;
});

const region = z
  .string(fieldMessages.region)
  .transform(cleanLine)
  .refine((text) => formRegions.includes(text), fieldMessages.region);

const preferredDate = z
  .string(fieldMessages.preferredDate)
  .transform(cleanLine)
  .refine(isCalendarDate, fieldMessages.preferredDate);

const message = z
  .union([z.string(), z.null()], fieldMessages.message)
  .optional()
  .transform((text) => cleanText(text ?? ""))
  .refine((text) => fieldProblem("message", text) === undefined, fieldMessages.message);

function schemaFor(form: FormName) {
  return z.object({
    name,
    phone,
    gender: option(GENDERS, fieldMessages.gender),
    age: age(form),
    region,
    preferredDate,
    dayType: option(DAY_TYPES, fieldMessages.dayType),
    timeSlot: option(TIME_SLOTS, fieldMessages.timeSlot),
    carType: option(CAR_TYPES, fieldMessages.carType),
    message,
  }) satisfies z.ZodType<Application, unknown>;
}

/** What the server takes from each form. */
const applicationSchemas = {
  dialog: schemaFor("dialog"),
  contact: schemaFor("contact"),
} as const satisfies Record<FormName, z.ZodType<Application, unknown>>;

/** The sentences of each wrong field, as the answer carries them. */
export type FieldErrors = Partial<Record<FieldName, string[]>>;

type Parsed = { ok: true; application: Application } | { ok: false; errors: FieldErrors };

/** An unknown value → an application, or the Korean sentences of each wrong field. Never echoes the input. */
export function parseApplication(form: FormName, value: unknown): Parsed {
  const result = applicationSchemas[form].safeParse(value);
  if (result.success) return { ok: true, application: result.data };
  const errors: FieldErrors = {};
  for (const issue of result.error.issues) {
    const field = FIELD_NAMES.find((fieldName) => fieldName === issue.path[0]);
    if (field) errors[field] ??= [issue.message];
  }
  return { ok: false, errors };
}
