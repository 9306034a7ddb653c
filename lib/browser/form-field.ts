/** The fields of a form as they stand on the page: drafts, autofill and Back fill them without React. */
import type { FieldName } from "#lib/application/fields.ts";

/** The value of a field; of radio buttons, the chosen one's. */
export function fieldValue(form: HTMLFormElement, field: FieldName): string {
  const control = controlOf(form, field);
  return control?.value ?? "";
}

/** Fills in a field as the visitor would, with an `input` event. */
export function enterValue(form: HTMLFormElement, field: FieldName, value: string): void {
  const control = controlOf(form, field);
  if (!control || control.value === value) return;
  control.value = value;
  const target =
    control instanceof RadioNodeList ? form.querySelector(`[name="${field}"]:checked`) : control;
  target?.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The control of a field, or its radio buttons. */
export function controlOf(form: HTMLFormElement, field: FieldName) {
  const control = form.elements.namedItem(field);
  return control instanceof RadioNodeList || isControl(control) ? control : undefined;
}

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function isControl(element: unknown): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}
