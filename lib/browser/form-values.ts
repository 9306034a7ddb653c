/** The fields of a form as they stand on the page: drafts, autofill and Back fill them without React. */
import { FIELD_NAMES, type FieldName, HONEYPOT_FIELD } from "#lib/application/fields.ts";

/**
 * The fields as the visitor left them, each a text; what was not filled in is empty. The field that no person sees is
 * there only when it was filled in. What an earlier version of the site has kept lacks the fields that came since.
 */
export type FormValues = Record<FieldName, string> & { [HONEYPOT_FIELD]?: string };

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** What the fields of a form hold now; must be read before they are disabled. */
export function formValues(form: HTMLFormElement): FormValues {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? "");
  const values = Object.fromEntries(FIELD_NAMES.map((field) => [field, text(field)]));
  const honeypot = text(HONEYPOT_FIELD);
  return {
    ...(values as Record<FieldName, string>),
    ...(honeypot && { [HONEYPOT_FIELD]: honeypot }),
  };
}

/** Puts values into the fields that are still empty: what the visitor has typed meanwhile stays. */
export function fillEmpty(form: HTMLFormElement, values: FormValues): void {
  for (const field of FIELD_NAMES) {
    const control = controlOf(form, field);
    if (control?.value === "") control.value = values[field] ?? "";
  }
}

export function sameValues(one: FormValues, other: FormValues): boolean {
  const fields = [...FIELD_NAMES, HONEYPOT_FIELD] as const;
  return fields.every((field) => (one[field] ?? "") === (other[field] ?? ""));
}

export function isEmpty(values: FormValues): boolean {
  return Object.values(values).every((value) => value === "");
}

export function isFieldName(name: string): name is FieldName {
  return FIELD_NAMES.some((field) => field === name);
}

/** The value of a field; of radio buttons, the chosen one's. */
export function fieldValue(form: HTMLFormElement, field: FieldName): string {
  return controlOf(form, field)?.value ?? "";
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

export function isControl(element: unknown): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

/** The control of a field, or its radio buttons. */
function controlOf(form: HTMLFormElement, field: FieldName) {
  const control = form.elements.namedItem(field);
  return control instanceof RadioNodeList || isControl(control) ? control : undefined;
}
