import { applicationForm } from "#lib/content/application-form.ts";
import { findOnDevice } from "#testing/browser/device-storage.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { FORM_VALUES, fillForm, openContact, readValues, VALUES } from "#testing/browser/form.ts";
import { expect, test } from "#testing/browser/test.ts";

test("a draft of a form is kept until its application is received", async ({ page, site }) => {
  await fillForm(await openContact(page, site.url), { name: "초안여주" });
  const again = await openContact(page, site.url);
  await eventually(() => readValues(again)).toMatchObject({ ...FORM_VALUES, name: "초안여주" });
  await again.locator("[type=submit]").click();
  await expect(page.getByText(/접수되었습니다/).first()).toBeVisible();
  const empty = await openContact(page, site.url);
  await expect(empty.getByLabel("이름")).toHaveValue("");
  expect(await findOnDevice(page, ["초안여주", VALUES.phone])).toEqual([]);
});

test("a reload keeps the error of a draft with a past date", async ({ page, site }) => {
  const form = await openContact(page, site.url);
  const date = form.getByLabel("희망 날짜");
  await date.fill("2020-03-06");
  await expect(date).toHaveAccessibleDescription(applicationForm.pastDate);
  await page.reload();
  await expect(date).toHaveValue("2020-03-06");
  await expect(date).toHaveAccessibleDescription(applicationForm.pastDate);
  await date.fill("2099-03-06");
  await expect(date).toHaveAccessibleDescription("");
});

test("a draft appears only in its own tab", async ({ page, site, context }) => {
  await fillForm(await openContact(page, site.url), { name: "내탭여주" });
  const other = await context.newPage();
  await expect((await openContact(other, site.url)).getByLabel("이름")).toHaveValue("");
});
