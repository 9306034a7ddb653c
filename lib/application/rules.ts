/** The rules for the fields. A form checks the fields before it sends them, the server before it stores them. */
import { parseAge } from "#lib/application/age.ts";
import {
  AGE_MAX_YEARS_BY_FORM,
  AGE_MIN_YEARS,
  type Application,
  FIELD_NAMES,
  type FieldName,
  type FormName,
  fieldFacts,
} from "#lib/application/fields.ts";
import { fieldProblems } from "#lib/application/messages.ts";
import { describePhoneProblem, normalisePhone } from "#lib/application/phone.ts";
import { isObject } from "#lib/application/response-body.ts";
import { isCalendarDate } from "#lib/application/seoul-time.ts";
import { cleanLine, cleanText, countCharacters, hasLetterOrDigit } from "#lib/application/text.ts";
import { formRegionNames } from "#lib/content/regions.ts";

/** The value to store, or a Korean sentence that says what to correct. */
type CheckedField =
  | { value: string | number; problem?: undefined }
  | { value?: undefined; problem: string };

/** A rule for one field, given a cleaned value that is not empty. */
type Rule = (typed: string, field: FieldName, form: FormName) => CheckedField;

const checkText: Rule = (value, field) => {
  const { maxCharacters = Number.POSITIVE_INFINITY, isOptional } = fieldFacts(field);
  if (!isOptional && !hasLetterOrDigit(value)) return { problem: fieldProblems.missing(field) };
  return countCharacters(value) <= maxCharacters
    ? { value }
    : { problem: fieldProblems.tooLong(field) };
};

const checkOption: Rule = (typed, field) => {
  const { options = [] } = fieldFacts(field);
  const named = options.find(({ code, label }) => typed === code || typed === label);
  return named ? { value: named.code } : { problem: fieldProblems.missing(field) };
};

const RULES_BY_FIELD: Partial<Record<FieldName, Rule>> = {
  phone(typed) {
    const value = normalisePhone(typed);
    return value === undefined ? { problem: describePhoneProblem(typed) } : { value };
  },

  age(typed, _, form) {
    const years = parseAge(typed);
    const isAllowed = years >= AGE_MIN_YEARS && years <= AGE_MAX_YEARS_BY_FORM[form];
    return isAllowed ? { value: years } : { problem: fieldProblems.age(form) };
  },

  region: (value, field) =>
    formRegionNames.includes(value) ? { value } : { problem: fieldProblems.missing(field) },

  preferredDate: (value) => (isCalendarDate(value) ? { value } : { problem: fieldProblems.date }),
};

export function checkField(form: FormName, field: FieldName, sent: unknown): CheckedField {
  const { options, isOptional, isMultiline } = fieldFacts(field);
  const problem = field === "age" ? fieldProblems.age(form) : fieldProblems.missing(field);
  const typed = field === "age" && typeof sent === "number" ? String(sent) : (sent ?? "");
  if (typeof typed !== "string") return { problem };
  const cleaned = isMultiline ? cleanText(typed) : cleanLine(typed);
  if (cleaned === "") return isOptional ? { value: "" } : { problem };
  return (RULES_BY_FIELD[field] ?? (options ? checkOption : checkText))(cleaned, field, form);
}

export type FieldErrors = Partial<Record<FieldName, string[]>>;

/** Parses all fields. No error contains the input. A value that is no object counts as an empty application. */
export function parseApplication(form: FormName, value: unknown) {
  const sent = isObject(value) ? value : {};
  const errors: FieldErrors = {};
  const application: Partial<Record<FieldName, string | number>> = {};
  for (const field of FIELD_NAMES) {
    const checked = checkField(form, field, sent[field]);
    if (checked.problem === undefined) application[field] = checked.value;
    else errors[field] = [checked.problem];
  }
  if (Object.keys(errors).length > 0) return { ok: false, errors } as const;
  // The loop has set every field.
  return { ok: true, application: application as Application } as const;
}
