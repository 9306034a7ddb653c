import { expect, type Locator, type Page, type Request } from "@playwright/test";
import { comeToLife } from "#testing/browser/wait-for-hydration.ts";

export const VALUES = {
  name: "김여주",
  phone: "010-2345-6789",
  gender: "여성",
  age: "34",
  region: "여주",
  preferredDate: "2027-03-06",
  dayType: "주말",
  timeSlot: "오전",
  carType: "자차",
  message: "여성 강사님으로 부탁드립니다.\n주차가 가장 어려워요.",
};

type Values = typeof VALUES;

/** None of it may stay on a device that no longer waits to send it. */
export const PERSONAL = [VALUES.phone, "주차가 가장 어려워요."];

export const SUMMARY = "운전연수 신청: 여성/34/여주/2027-03-06/주말/오전/자차";

/** Pattern for `page.route`: the routes of both forms. */
export const API = "**/api/*/training-application";

/** The list grows with each later POST of the page. */
export function postsOf(page: Page): Request[] {
  const posts: Request[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request));
  return posts;
}

/** Opens the contact page; returns the part with the form, once the script has taken the form over. */
export async function openContact(page: Page, url: string): Promise<Locator> {
  await page.goto(`${url}/contact`);
  const form = page.locator("main");
  await canKeep(form);
  return form;
}

/** Opens the dialog of the front page, once the first of its fields has the focus. */
export async function openDialog(page: Page, url: string): Promise<Locator> {
  await page.goto(url);
  await page.getByRole("link", { name: "신청하기", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "연수 신청서" });
  await expect(dialog.getByLabel("이름")).toBeFocused();
  await canKeep(dialog);
  return dialog;
}

/**
 * The script has taken the form over, and its database, if it ever answers, has what was written before: from now on a
 * write is committed in the same turn, with no other in front of it. A person never meets that: a test leaves at once,
 * and Chromium drops the commits of a page that it has not begun by then.
 */
async function canKeep(area: Locator): Promise<void> {
  await area.locator("form[novalidate]").evaluate(async () => {
    // The page has asked before: it is answered before.
    const answered = new Promise<void>((resolve) => {
      const opening = indexedDB.open("applications");
      opening.onerror = () => resolve();
      opening.onsuccess = () => {
        opening.result.transaction("records").oncomplete = () => resolve();
        opening.result.close();
      };
    });
    const given = new Promise((resolve) => setTimeout(resolve, 2_000));
    await Promise.race([answered, given]).catch(() => undefined);
  });
}

/**
 * Fills the form in at once, as a browser does that knows the answers; `area` is the dialog or the section that holds
 * it. It waits for the script to take the form over.
 */
export async function fillForm(area: Locator, change: Partial<Values> = {}): Promise<Values> {
  const values = { ...VALUES, ...change };
  await area.locator("form[novalidate]").evaluate((form: HTMLFormElement, entries) => {
    for (const [name, value] of entries) {
      const field = form.elements.namedItem(name);
      if (field instanceof RadioNodeList) {
        const of = (radio: Node) => radio instanceof HTMLInputElement && radio.labels?.[0];
        const tile = [...field].map(of).find((label) => label && label.textContent === value);
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
  await canKeep(area);
  return values;
}

/** Fills the form in as a person does: one field after the other, and the tiles under the finger. */
export async function fillByHand(form: Locator, change: Partial<Values> = {}): Promise<Values> {
  const values = { ...VALUES, ...change };
  await comeToLife(form.page());
  await form.getByLabel("이름").fill(values.name);
  await form.getByLabel("전화번호").fill(values.phone);
  await choose(form, "성별", values.gender);
  await form.getByLabel("나이").fill(values.age);
  await form.getByLabel("연수 지역").selectOption(values.region);
  await form.getByLabel("희망 날짜").fill(values.preferredDate);
  await choose(form, "요일", values.dayType);
  await choose(form, "시간대", values.timeSlot);
  await choose(form, "연수 차량", values.carType);
  await form.getByLabel("남기실 말씀").fill(values.message);
  return values;
}

/** Values of the form in the dialog or the section, by the fields' names. */
export function valuesIn(area: Locator): Promise<Record<string, unknown>> {
  return area
    .locator("form")
    .evaluate((form: HTMLFormElement) => Object.fromEntries([...new FormData(form)]));
}

/** Presses a choice tile where a finger would: on its label, away from the bar at the lower edge. */
async function choose(form: Locator, group: string, label: string): Promise<void> {
  const tile = form
    .getByRole("radiogroup", { name: group })
    .locator("label")
    .filter({ hasText: new RegExp(`^${label}$`) });
  await tile.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await tile.click();
}

/** The same application as a client without a browser would send it. */
export function asJson(change: Partial<Record<keyof Values, unknown>> = {}): string {
  return JSON.stringify({ ...VALUES, age: 34, ...change });
}
