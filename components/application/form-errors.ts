/** Errors of a form's fields, and the way to each field. */

import { FIELD_NAMES, type FieldName, FORM_PATHS } from "#lib/application/fields.ts";
import { checkField } from "#lib/application/rules.ts";
import { controlOf } from "#lib/browser/form-values.ts";

/** The sentence under each wrong field, by its name. */
export type ErrorMessages = Readonly<Record<string, string | undefined>>;

/** The browser's own sentence about a field, or ours where its checks do not know the rule. */
export function problemOf(form: HTMLFormElement, field: FieldName): string | undefined {
  const control = controlOf(form, field);
  if (!control) return undefined;
  const name = form.getAttribute("action") === FORM_PATHS.dialog ? "dialog" : "contact";
  return control.validationMessage || checkField(name, field, control.value).problem;
}

export function problemsOf(form: HTMLFormElement): ErrorMessages {
  return Object.fromEntries(FIELD_NAMES.map((field) => [field, problemOf(form, field)]));
}

export function isValid(form: HTMLFormElement): boolean {
  return wrongFields(problemsOf(form)).length === 0;
}

/** In the order of the form. */
export function wrongFields(errors: ErrorMessages): FieldName[] {
  return FIELD_NAMES.filter((field) => errors[field]);
}

/** Moves the focus to the first field of the form that is wrong. False when there is none. */
export function focusFirstError(form: HTMLFormElement, errors: ErrorMessages): boolean {
  const [first] = wrongFields(errors);
  if (first) controlOf(form, first)?.focus();
  return first !== undefined;
}
