/** Applications whose press has failed. */
import { expect, type Page } from "@playwright/test";
import { API, fillForm, openContact, openDialog } from "#testing/form.ts";

export async function dialogAndOpener(page: Page, url: string) {
  const dialog = await openDialog(page, url);
  return { dialog, opener: page.getByRole("link", { name: "신청하기", exact: true }) };
}

/** The dialog with an application that could not be sent and is kept on the device. */
export async function failedInDialog(page: Page, url: string, name: string) {
  await page.route(API, (route) => route.fulfill({ status: 503, body: "" }));
  const opened = await dialogAndOpener(page, url);
  await fillForm(opened.dialog, { name });
  await opened.dialog.locator("[type=submit]").click();
  await expect(opened.dialog.getByRole("alert")).toContainText("오류가 발생했습니다");
  return opened;
}

/** The contact form with an application that could not be sent and is kept on the device. */
export async function keptOnContact(page: Page, url: string, name: string) {
  const form = await openContact(page, url);
  await page.route(API, (route) => route.fulfill({ status: 503, body: "" }));
  await fillForm(form, { name });
  await form.locator("[type=submit]").click();
  await expect(form.getByRole("heading", { name: /보관했습니다/ })).toBeFocused();
  return form;
}
