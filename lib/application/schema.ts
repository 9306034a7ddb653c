import { z } from "zod";
import { fieldProblem } from "#lib/application/field-problem.ts";
import {
  AGE_MAX_YEARS,
  AGE_MIN_YEARS,
  type Application,
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  type FormName,
  factsOf,
} from "#lib/application/fields.ts";
import { phoneMessages, textMessage } from "#lib/application/messages.ts";
import { normalisePhone, phoneProblem } from "#lib/application/phone.ts";
import { isCalendarDate } from "#lib/application/seoul-time.ts";
import { cleanLine, cleanText } from "#lib/application/text.ts";
import { asObject, asTopic } from "#lib/content/copy.ts";
import { formRegions } from "#lib/content/regions.ts";

/** What was typed, or nothing where the field is optional. */
function typed(field: FieldName, message: string): z.ZodType<string> {
  const text = z.string(message);
  return factsOf(field).isOptional ? text.nullish().transform((value) => value ?? "") : text;
}

/** An option named by its code or by its Korean label → its code; empty where the field is optional. */
function choice(field: FieldName) {
  const { label, options = [], isOptional } = factsOf(field);
  const message = `${asObject(label)} 골라 주세요.`;
  return typed(field, message).transform((named, context) => {
    const cleaned = cleanLine(named);
    const match = options.find((option) => cleaned === option.code || cleaned === option.label);
    if (match) return match.code;
    if (isOptional && cleaned === "") return "";
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });
}

/** A text, empty where the field is optional. */
function text(field: FieldName, clean = cleanLine) {
  const message = textMessage(field);
  return typed(field, message)
    .transform(clean)
    .refine((cleaned) => fieldProblem(field, cleaned) === undefined, message);
}

/** A whole number, as a number or as a numeric text of at most three digits. */
function age(form: FormName) {
  const max = AGE_MAX_YEARS[form];
  const message = `${asTopic(FIELDS.age.label)} ${AGE_MIN_YEARS}~${max} 사이의 숫자로 적어 주세요.`;
  const numericText = z
    .string()
    .transform((typed) => cleanLine(typed.slice(0, 20)).normalize("NFKC"))
    .pipe(z.string().regex(/^\d{1,3}$/, message))
    .transform(Number);
  return z
    .union([z.number(), numericText], message)
    .pipe(z.int(message).min(AGE_MIN_YEARS, message).max(max, message));
}

const phone = z.string(phoneMessages.other).transform((typed, context) => {
  const normalised = normalisePhone(typed);
  if (normalised !== undefined) return normalised;
  context.addIssue({ code: "custom", message: phoneProblem(typed) });
  return z.NEVER;
});

/** A text that is checked once it is clean. */
const checked = (message: string, isRight: (cleaned: string) => boolean) =>
  z.string(message).transform(cleanLine).refine(isRight, message);

const region = checked(`${asObject(FIELDS.region.label)} 골라 주세요.`, (named) =>
  formRegions.includes(named),
);
const preferredDate = checked(
  `${asObject(FIELDS.preferredDate.label)} 다시 골라 주세요.`,
  isCalendarDate,
);

/** What the server takes from a form. */
function schemaFor(form: FormName): z.ZodType<Application> {
  const rules: Partial<Record<FieldName, z.ZodType>> = {
    phone,
    age: age(form),
    region,
    preferredDate,
    message: text("message", cleanText),
  };
  const usual = (field: FieldName) => (factsOf(field).options ? choice(field) : text(field));
  const fields = FIELD_NAMES.map((field) => [field, rules[field] ?? usual(field)] as const);
  // The type is read from the same table as the rules.
  return z.object(Object.fromEntries(fields)) as unknown as z.ZodType<Application>;
}

const applicationSchemas = { dialog: schemaFor("dialog"), contact: schemaFor("contact") };

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
