import { FIELD_NAMES, type FieldName, type FormName } from "#lib/application/fields.ts";
import { checkField } from "#lib/application/rules.ts";
import { type FormValues, findControl } from "#lib/browser/form-values.ts";

export type ErrorMessages = Readonly<Record<string, string | undefined>>;

export function checkFields(form: FormName, values: FormValues): ErrorMessages {
  return Object.fromEntries(
    FIELD_NAMES.map((field) => [field, checkField(form, field, values[field]).problem]),
  );
}

export function hasErrors(errors: ErrorMessages): boolean {
  return invalidFields(errors).length > 0;
}

export function invalidFields(errors: ErrorMessages): FieldName[] {
  return FIELD_NAMES.filter((field) => errors[field]);
}

export function focusFirstError(form: HTMLFormElement, errors: ErrorMessages): void {
  const [first] = invalidFields(errors);
  if (first !== undefined) findControl(form, first)?.focus();
}
