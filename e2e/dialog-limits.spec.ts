import { fillForm, openDialog } from "#testing/form.ts";
import { expect, test } from "#testing/test.ts";

test("somebody too old for the dialog is led to the form on its page, with what was typed", async ({
  page,
  site,
}) => {
  const dialog = await openDialog(page, site.url);
  await fillForm(dialog, { name: "어른여주", age: "85" });
  await dialog.locator("[type=submit]").click();
  await expect(dialog.getByLabel("나이")).toHaveAccessibleDescription(
    /100세까지는 연수 신청 페이지/,
  );
  await dialog.getByRole("link", { name: "적으신 내용으로 이어서 쓰기" }).click();
  const form = page.locator("main");
  await expect(form.getByLabel("나이")).toHaveValue("85");
  await expect(form.getByLabel("이름")).toHaveValue("어른여주");
  await form.locator("[type=submit]").click();
  await expect(form.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeVisible();
});

test("on a screen of 844 by 200 the bars of the dialog give way to its fields", async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 844, height: 200 });
  const dialog = await openDialog(page, site.url);
  const field = dialog.getByLabel("연수 지역");
  await field.focus();
  const { y = -1, height = 200 } = (await field.boundingBox()) ?? {};
  expect(y).toBeGreaterThanOrEqual(0);
  expect(y + height).toBeLessThanOrEqual(200);
  const bar = await dialog.locator(".sheet-bar").boundingBox();
  expect(bar?.y).toBeGreaterThan(200);
});
