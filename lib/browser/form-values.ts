import { FIELD_NAMES, type FieldName, HONEYPOT_FIELD } from "#lib/application/fields.ts";
import { controlOf } from "#lib/browser/form-field.ts";

/**
 * The ten fields as the visitor left them, each a text; what was not filled in is empty. The field that
 * no person sees is there only when it was filled in.
 */
export type FormValues = Record<FieldName, string> & { [HONEYPOT_FIELD]?: string };

const EMPTY: FormValues = {
  name: "",
  phone: "",
  gender: "",
  age: "",
  region: "",
  preferredDate: "",
  dayType: "",
  timeSlot: "",
  carType: "",
  message: "",
};

/** What a form's fields hold now; must be read before they are disabled. */
export function formValuesIn(data: FormData): FormValues {
  const values: FormValues = { ...EMPTY };
  for (const field of FIELD_NAMES) {
    const value = data.get(field);
    if (typeof value === "string") values[field] = value;
  }
  const honeypot = data.get(HONEYPOT_FIELD);
  if (typeof honeypot === "string" && honeypot !== "") values[HONEYPOT_FIELD] = honeypot;
  return values;
}

/** The values in what was stored under `values`, or undefined when there are none. */
export function storedValues(stored: object): FormValues | undefined {
  if (!("values" in stored) || typeof stored.values !== "object" || !stored.values)
    return undefined;
  const data = new FormData();
  for (const [name, value] of Object.entries(stored.values)) data.set(name, String(value));
  return formValuesIn(data);
}

/** Puts values into the fields that are still empty: what the visitor has typed meanwhile stays. */
export function fillEmpty(form: HTMLFormElement, values: FormValues): void {
  for (const field of FIELD_NAMES) {
    const control = controlOf(form, field);
    if (control?.value === "") control.value = values[field];
  }
}

export function sameValues(one: FormValues, other: FormValues): boolean {
  return FIELD_NAMES.every((field) => one[field] === other[field]);
}

export function isFieldName(name: string): name is FieldName {
  return FIELD_NAMES.some((field) => field === name);
}
