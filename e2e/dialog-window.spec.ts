import { eventually } from "#testing/eventually.ts";
import { openDialog } from "#testing/form.ts";
import { expect, test } from "#testing/test.ts";
import { dialogAndOpener } from "#testing/unsent-application.ts";

for (const [what, close] of [
  ["X", "닫기"],
  ["취소", "취소"],
  ["Esc", undefined],
] as const) {
  test(`${what} closes the dialog, which keeps what was typed and gives the focus back`, async ({
    page,
    site,
  }) => {
    const { dialog, opener } = await dialogAndOpener(page, site.url);
    await dialog.getByLabel("이름").fill("김원주");
    if (close) await dialog.getByRole("button", { name: close, exact: true }).click();
    else await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
    await opener.click();
    await expect(dialog.getByLabel("이름")).toHaveValue("김원주");
  });
}

for (const what of ["", ", also when the page was reloaded while it was open"]) {
  test(`Back closes the dialog and stays on the page${what}`, async ({ page, site }) => {
    await page.goto(`${site.url}/pricing`);
    const { dialog, opener } = await dialogAndOpener(page, site.url);
    if (what) {
      await page.reload();
      await opener.click();
      await expect(dialog).toBeVisible();
    }
    await dialog.getByLabel("이름").fill("뒤로여주");
    await page.goBack();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(`${site.url}/`);
    await opener.click();
    await expect(dialog.getByLabel("이름")).toHaveValue("뒤로여주");
    await page.keyboard.press("Escape");
    await eventually(() => page.evaluate(() => "overlay" in (history.state ?? {}))).toBe(false);
    await page.goBack();
    await expect(page).toHaveURL(`${site.url}/pricing`);
  });
}

// A phone held sideways with its keyboard, and 1,280×1,024 at a zoom of 400 %.
for (const [width, height] of [
  [844, 200],
  [320, 256],
] as const) {
  test(`at ${width}×${height} the bars of the dialog give way to its fields`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height });
    const dialog = await openDialog(page, site.url);
    for (const label of ["연수 지역", "남기실 말씀"]) {
      const field = dialog.getByLabel(label);
      await field.focus();
      await expect(field).toBeInViewport({ ratio: 0.9 });
    }
    await dialog.getByLabel("연수 지역").focus();
    await expect(dialog.locator("[type=submit]")).not.toBeInViewport();
    await expect(dialog.getByRole("heading", { name: "연수 신청서" })).not.toBeInViewport();
  });
}
