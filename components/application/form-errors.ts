/** What is wrong with a form's fields, and how to get there. */
import type { ErrorMessages } from "#components/application/application-fields.tsx";
import { fieldProblem } from "#lib/application/field-problem.ts";
import { type Control, isControl, isFieldName } from "#lib/browser/form-values.ts";

/** The browser's own sentence about a control, or ours where its checks do not know the rule. */
function problemOf(control: Control): string | undefined {
  if (!control.validity.valid) return control.validationMessage;
  return isFieldName(control.name) ? fieldProblem(control.name, control.value) : undefined;
}

/** Every invalid field with what is wrong, in the order of the form. */
export function browserErrors(form: HTMLFormElement): ErrorMessages {
  const errors: ErrorMessages = {};
  for (const element of form.elements) {
    if (!isControl(element) || !isFieldName(element.name)) continue;
    const problem = problemOf(element);
    if (problem !== undefined) errors[element.name] ??= problem;
  }
  return errors;
}

export function isValid(form: HTMLFormElement): boolean {
  return Object.keys(browserErrors(form)).length === 0;
}

/** The errors after a field was changed: its own goes once nothing is wrong with it. */
export function afterChange(errors: ErrorMessages, changed: EventTarget): ErrorMessages {
  if (!isControl(changed) || !isFieldName(changed.name)) return errors;
  const { name } = changed;
  if (errors[name] === undefined) return errors;
  const { [name]: _corrected, ...others } = errors;
  const problem = problemOf(changed);
  return problem === undefined ? others : { ...others, [name]: problem };
}

/** Moves the focus to the first field of the form that is wrong. False when there is none. */
export function focusFirstError(form: HTMLFormElement, errors: ErrorMessages): boolean {
  for (const element of form.elements) {
    if (!isControl(element) || !isFieldName(element.name)) continue;
    if (errors[element.name] === undefined) continue;
    element.focus();
    return true;
  }
  return false;
}

/** The server's errors, as far as they are about fields of ours. */
export function serverErrors(errors: Record<string, string>): ErrorMessages {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => isFieldName(name)));
}
