import { eventually } from "#testing/eventually.ts";
import { expect, test } from "#testing/test.ts";
import { dialogAndOpener } from "#testing/unsent-application.ts";

test.beforeEach(({ quiet }) => {
  quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
});

test("Back closes an open dialog, and keeps what was typed", async ({ page, site }) => {
  await page.goto(`${site.url}/pricing`);
  const { dialog, opener } = await dialogAndOpener(page, site.url);
  await dialog.getByLabel("이름").fill("뒤로여주");
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`${site.url}/`);
  await opener.click();
  await expect(dialog.getByLabel("이름")).toHaveValue("뒤로여주");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await eventually(() => page.evaluate(() => "overlay" in (history.state ?? {}))).toBe(false);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/pricing`);
});

test("Back closes a dialog also when the page was reloaded while it was open", async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/pricing`);
  const { opener, dialog } = await dialogAndOpener(page, site.url);
  await page.reload();
  await opener.click();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`${site.url}/`);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/pricing`);
});
