/** Reads and changes the fields in the page, because autofill, drafts and Back change them without React. */
import { FIELD_NAMES, type FieldName, HONEYPOT_FIELD } from "#lib/application/fields.ts";

/** The values of the fields. An empty field may be missing. */
export type FormValues = Readonly<Partial<Record<FieldName | typeof HONEYPOT_FIELD, string>>>;

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Must be called before the fields are disabled, because FormData leaves out disabled fields. */
export function formValues(form: HTMLFormElement): FormValues {
  return Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
}

export function fillEmptyFields(
  form: HTMLFormElement,
  values: Partial<Record<FieldName, string | undefined>>,
): void {
  for (const field of FIELD_NAMES) {
    const holder = findValueElement(form, field);
    if (holder?.value === "") holder.value = values[field] ?? "";
  }
}

export function areSameValues(one: FormValues, other: FormValues): boolean {
  const fields = [...FIELD_NAMES, HONEYPOT_FIELD] as const;
  return fields.every((field) => (one[field] ?? "") === (other[field] ?? ""));
}

export function changeValue(
  form: HTMLFormElement,
  field: FieldName,
  change: (value: string) => string,
): void {
  const holder = findValueElement(form, field);
  const value = change(holder?.value ?? "");
  if (!holder || holder.value === value) return;
  holder.value = value;
  findControl(form, field)?.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The control of a field; of radio buttons, the first button. */
export function findControl(form: HTMLFormElement, field: FieldName) {
  return form.querySelector<Control>(`[name="${field}"]`);
}

/** Returns the control, or a list of radio buttons, whose `value` is that of the checked button. */
function findValueElement(form: HTMLFormElement, field: FieldName) {
  return form.elements.namedItem(field) as RadioNodeList | Control | null;
}
