import { eventually } from "#testing/browser/eventually.ts";
import { openDialog } from "#testing/browser/form.ts";
import { expect, test } from "#testing/browser/test.ts";

test("each way of closing the dialog keeps the draft", async ({ page, site }) => {
  await page.goto(`${site.url}/pricing`);
  const dialog = await openDialog(page, site.url);
  const opener = page.getByRole("link", { name: "신청서 쓰기", exact: true });
  const press = (name: string) => dialog.getByRole("button", { name, exact: true }).click();
  await dialog.getByLabel("이름").fill("김원주");
  await press("닫기");
  const tab = page.context().waitForEvent("page");
  await opener.click({ modifiers: ["ControlOrMeta"] });
  await (await tab).close();
  await expect(dialog).toBeHidden();
  await opener.click();
  for (const close of [
    () => press("닫기"),
    () => press("취소"),
    () => page.keyboard.press("Escape"),
    () => page.goBack(),
    async () => {
      await page.reload();
      await opener.click();
      await expect(dialog).toBeVisible();
      await page.goBack();
    },
  ]) {
    await close();
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();
    await expect(page).toHaveURL(`${site.url}/`);
    await opener.click();
    await expect(dialog.getByLabel("이름")).toHaveValue("김원주");
  }
  await page.keyboard.press("Escape");
  await eventually(() => page.evaluate(() => "overlay" in (history.state ?? {}))).toBe(false);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/pricing`);
});

test("a zoomed page can be panned across every overlay", async ({ page, site }) => {
  // A finger cannot pan a zoomed page on a scroller with `overscroll-behavior`, except on `html`.
  const containing = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("*")]
        .filter((element) => getComputedStyle(element).overscrollBehavior !== "auto")
        .map(({ localName }) => localName),
    );
  await openDialog(page, site.url);
  expect(await containing()).toEqual(["html"]);
  await page.goto(`${site.url}/gallery`);
  await page.getByRole("button", { name: "메뉴 열기" }).click();
  expect(await containing()).toEqual(["html"]);
  await page.keyboard.press("Escape");
  await page.locator("main a[aria-haspopup=dialog]").first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await containing()).toEqual(["html"]);
});

test("the dialog's head and foot leave room for fields in a low window", async ({ page, site }) => {
  const dialog = await openDialog(page, site.url);
  // Sizes of a phone in landscape above its keyboard, and of 1,280×1,024 px at a zoom of 400 %.
  for (const [width, height] of [
    [844, 200],
    [320, 256],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const label of ["남기실 말씀", "연수 지역"]) {
      const field = dialog.getByLabel(label);
      await field.focus();
      await expect(field).toBeInViewport({ ratio: 0.9 });
    }
    await expect(dialog.locator("[type=submit]")).not.toBeInViewport();
    await expect(dialog.getByRole("heading", { name: "연수 신청서" })).not.toBeInViewport();
  }
});
