import { expect, type Locator, type Page, type Request } from "@playwright/test";
import { FIELD_NAMES, FIELDS, type FieldName, fieldFacts } from "#lib/application/fields.ts";
import { summaryLine } from "#lib/application/summary.ts";
import { receivedToast } from "#lib/content/application-dialog.ts";
import { receiptTexts } from "#lib/content/application-result.ts";
import { formRegionNames } from "#lib/content/regions.ts";

const REQUIRED_FIELDS = FIELD_NAMES.filter((field) => !fieldFacts(field).isOptional);

/** The first option, or a text, for each required field, so that a new field needs no change in the tests. */
const DEFAULTS: object = Object.fromEntries(
  REQUIRED_FIELDS.map((field) => [
    field,
    fieldFacts(field).options?.[0]?.label ?? FIELDS[field].label,
  ]),
);
export const SAMPLE_VALUES = {
  ...DEFAULTS,
  name: "김여주",
  phone: "010-2345-6789",
  gender: "여성",
  age: "34",
  region: formRegionNames[0] ?? "",
  preferredDate: "2027-03-06",
  dayType: "주말",
  timeSlot: "오전",
  carType: "자차",
  message: "여성 강사님으로 부탁드립니다.\n주차가 가장 어려워요.",
};

type Values = typeof SAMPLE_VALUES;

/** Pairs of a field and the label of its chosen option. */
export const CHOSEN_LABELS = Object.entries<string>(SAMPLE_VALUES).filter(([field]) =>
  REQUIRED_FIELDS.some((name) => name === field && fieldFacts(name).options),
) as [FieldName, string][];

/** Values of the form's controls: codes of options, except for the gender, whose value is Korean in requests too. */
export const SAMPLE_CONTROL_VALUES: Record<string, string> = {
  ...SAMPLE_VALUES,
  ...Object.fromEntries(
    CHOSEN_LABELS.map(([field, label]) => [
      field,
      fieldFacts(field).options?.find((option) => option.label === label)?.code,
    ]),
  ),
  gender: SAMPLE_VALUES.gender,
};

/** Personal data that a device must delete once the application is received. */
export const PERSONAL_DATA = [SAMPLE_VALUES.phone, "주차가 가장 어려워요."];

export const SUMMARY = summaryLine(SAMPLE_VALUES);

/** The selector of the toast's text, and the text itself. */
export const TOAST = ["[role=status] p", receivedToast.title] as const;

/** What tells the visitor that an application was received: the toast, or the heading of the panel. */
export function shownReceipt(area: Locator | Page): Locator {
  const toast = area.getByRole("status").filter({ hasText: TOAST[1] });
  return toast.or(area.getByRole("heading", { name: receiptTexts.title }));
}

/** A pattern for `page.route` that matches the routes of both forms. */
export const FORM_URLS = "**/api/*/training-application";

/** Returns a list to which each later POST request of the page is added. */
export function recordPosts(page: Page): Request[] {
  const posts: Request[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request));
  return posts;
}

/** Opens /contact, waits for hydration, and returns the `main` element. */
export async function openContact(page: Page, url: string): Promise<Locator> {
  await page.goto(`${url}/contact`);
  const form = page.locator("main");
  await waitUntilStorable(form);
  return form;
}

/** Opens the home page's dialog and waits until its first field has the focus. */
export async function openDialog(page: Page, url: string): Promise<Locator> {
  await page.goto(url);
  await page.getByRole("link", { name: "신청서 쓰기", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "연수 신청서" });
  await expect(dialog.getByLabel("이름")).toBeFocused();
  await waitUntilStorable(dialog);
  return dialog;
}

/** Waits for hydration, then at most 2 s for an idle IndexedDB: Chromium drops writes that wait when a page closes. */
async function waitUntilStorable(area: Locator): Promise<void> {
  await area.locator("form[data-ready]").evaluate(async () => {
    // IndexedDB answers this request after all earlier requests of the page.
    const answered = new Promise<void>((resolve) => {
      const open = () => {
        const opening = indexedDB.open("outbox");
        opening.onupgradeneeded = () => opening.transaction?.abort();
        opening.onerror = () => {
          if (opening.error?.name === "AbortError") setTimeout(open, 20);
          else resolve();
        };
        opening.onsuccess = () => {
          opening.result.transaction("entries").oncomplete = () => resolve();
          opening.result.close();
        };
      };
      open();
    });
    const timeLimit = new Promise((resolve) => setTimeout(resolve, 2_000));
    await Promise.race([answered, timeLimit]).catch(() => undefined);
  });
}

/** Fills in all fields at once, as a browser's autofill does. */
export async function autofillForm(form: Locator, values: Values): Promise<void> {
  await form.evaluate((element: HTMLFormElement, entries) => {
    for (const [name, value] of entries) {
      const field = element.elements.namedItem(name);
      if (field instanceof RadioNodeList) {
        const labelOf = (radio: Node) =>
          radio instanceof HTMLInputElement ? radio.labels?.[0] : undefined;
        const tile = [...field].map(labelOf).find((label) => label?.textContent?.endsWith(value));
        if (!tile) throw new Error(`no choice ${value} of ${name}`);
        tile.click();
      } else if (
        field instanceof HTMLInputElement ||
        field instanceof HTMLSelectElement ||
        field instanceof HTMLTextAreaElement
      ) {
        field.focus({ preventScroll: true });
        field.value = value;
        for (const type of ["input", "change"])
          field.dispatchEvent(new Event(type, { bubbles: true }));
      } else throw new Error(`no field ${name}`);
    }
  }, Object.entries(values));
}

/** Enters all values after hydration. `area` is the dialog or the section around the form. */
export async function fillForm(area: Locator, change: Partial<Values> = {}): Promise<void> {
  await autofillForm(area.locator("form[data-ready]"), { ...SAMPLE_VALUES, ...change });
  await waitUntilStorable(area);
}

/** Fills the form in as a person does: field by field, with a tap on each tile. Needs no scripts. */
export async function fillByHand(form: Locator, change: Partial<Values> = {}): Promise<void> {
  for (const [field, value] of Object.entries<string>({ ...SAMPLE_VALUES, ...change })) {
    const { label, options } = fieldFacts(field as FieldName);
    if (options) await choose(form, label, value);
    else if (field === "region") await form.getByLabel(label).selectOption(value);
    else await form.getByLabel(label).fill(value);
  }
}

export function readValues(area: Locator): Promise<Record<string, unknown>> {
  return area
    .locator("form")
    .evaluate((form: HTMLFormElement) => Object.fromEntries([...new FormData(form)]));
}

/** Scrolls a tile away from the bottom bar, and taps the tile's label. */
async function choose(form: Locator, group: string, label: string): Promise<void> {
  const tile = form
    .getByRole("radiogroup", { name: group })
    .locator("label")
    .filter({ hasText: new RegExp(`^${label}$`) });
  await tile.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await tile.click();
}

export function jsonBody(change: Partial<Record<keyof Values, unknown>> = {}): string {
  return JSON.stringify({ ...SAMPLE_VALUES, age: 34, ...change });
}
