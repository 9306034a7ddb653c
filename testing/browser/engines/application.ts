import { type FieldName, fieldFacts } from "#lib/application/fields.ts";
import type { Tab } from "#testing/browser/engines/tab.ts";
import { CHOSEN_LABELS, SAMPLE_VALUES } from "#testing/browser/form.ts";

const TYPED_FIELDS = ["name", "phone", "age"] as const;
const { name: _name, phone: _phone, age: _age, ...others } = SAMPLE_VALUES;
const SCRIPTED_VALUES = Object.fromEntries(
  Object.entries({ ...others, message: "주차가 가장 어려워요." }).filter(
    ([field]) => !fieldFacts(field as FieldName).options,
  ),
);

/** Fills in the form in `main` or the dialog: three fields by the keyboard, tiles by the mouse, the rest by script. */
export async function fillTabForm(tab: Tab, form: string, name: string): Promise<void> {
  for (const field of TYPED_FIELDS) {
    await tab.click(`${form} [name=${field}]`);
    await tab.run(() => document.execCommand("selectAll"));
    await tab.type(field === "name" ? name : SAMPLE_VALUES[field]);
  }
  for (const [field, label] of CHOSEN_LABELS)
    await tab.click(`${form} label:has([name=${field}])`, label);
  // The tests cannot operate the native popups of lists and dates, so a script sets these values and the message.
  await tab.run(
    (form: string, values: Record<string, string>) => {
      for (const [field, value] of Object.entries(values)) {
        const control = document.querySelector<HTMLInputElement>(`${form} [name=${field}]`);
        if (!control) throw new Error(`no field ${field}`);
        const { set } =
          Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value") ?? {};
        set?.call(control, value);
        for (const type of ["input", "change"])
          control.dispatchEvent(new Event(type, { bubbles: true }));
      }
    },
    form,
    SCRIPTED_VALUES,
  );
}

export function readTabValues(tab: Tab, form: string): Promise<Record<string, string>> {
  return tab.run((form: string) => {
    const element = document.querySelector<HTMLFormElement>(`${form} form`);
    return Object.fromEntries(
      [...new FormData(element ?? undefined)].map(([key, value]) => [key, String(value)]),
    );
  }, form);
}

export async function openTabForm(tab: Tab, url: string): Promise<void> {
  await tab.open(`${url}/contact`);
  await tab.until(() => document.querySelector("main form[data-ready]") !== null);
}
