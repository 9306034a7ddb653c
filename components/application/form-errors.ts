/** What is wrong with a form's fields, in the browser's own words, and how to get there. */
import type { FieldErrors } from "#components/application/application-fields.tsx";
import { isFieldName } from "#lib/browser/form-values.ts";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isControl(element: EventTarget | null): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

/** Every invalid field with the browser's sentence, in the order of the form. */
export function browserErrors(form: HTMLFormElement): FieldErrors {
  const errors: FieldErrors = {};
  for (const element of form.elements) {
    if (!isControl(element) || !isFieldName(element.name) || element.validity.valid) continue;
    errors[element.name] ??= element.validationMessage;
  }
  return errors;
}

/** The errors after a field was changed: its own goes once the browser is content with it. */
export function afterChange(errors: FieldErrors, changed: EventTarget): FieldErrors {
  if (!isControl(changed) || !isFieldName(changed.name)) return errors;
  const { name } = changed;
  if (errors[name] === undefined) return errors;
  const { [name]: _corrected, ...others } = errors;
  return changed.validity.valid ? others : { ...others, [name]: changed.validationMessage };
}

/** Moves the focus to the first field of the form that is wrong. False when there is none. */
export function focusFirstError(form: HTMLFormElement, errors: FieldErrors): boolean {
  for (const element of form.elements) {
    if (!isControl(element) || !isFieldName(element.name)) continue;
    if (errors[element.name] === undefined) continue;
    element.focus();
    return true;
  }
  return false;
}

/** The server's errors, as far as they are about fields of ours. */
export function serverErrors(errors: Record<string, string>): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => isFieldName(name)));
}
