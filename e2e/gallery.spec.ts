import { galleryScenes } from "#lib/content/gallery-page.ts";
import { expect, test } from "#testing/browser/test.ts";

const OVERLAY_OPENER = "main a[aria-haspopup=dialog]";

test("buttons, arrow keys and swipes move through the lightbox", async ({ page, site }) => {
  await page.goto(`${site.url}/gallery`);
  await expect(page.locator("html")).toHaveCSS("scrollbar-gutter", "stable");
  const card = page.locator(OVERLAY_OPENER).first();
  const lightbox = page.getByRole("dialog");
  const shows = async (index: number) => {
    const title = galleryScenes.at(index)?.title ?? "";
    const number = (index + galleryScenes.length) % galleryScenes.length;
    const announced = lightbox.locator("[aria-live=polite]");
    await expect(announced).toContainText(`${number + 1} / ${galleryScenes.length}`);
    await expect(lightbox).toHaveAccessibleName(title);
    await expect(lightbox.locator("li:not([inert])")).toHaveText(new RegExp(title));
  };
  const tab = page.context().waitForEvent("page");
  await card.click({ modifiers: ["ControlOrMeta"] });
  await (await tab).close();
  await expect(lightbox).toBeHidden();
  await card.click();
  await shows(0);
  await lightbox.getByRole("button", { name: "이전" }).click();
  await shows(-1);
  await lightbox.getByRole("button", { name: "다음" }).click();
  await shows(0);
  await page.keyboard.press("Control+ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await shows(-1);
  await page.keyboard.press("ArrowRight");
  await shows(0);
  // No frame is drawn between keys of the same task.
  await lightbox.evaluate((dialog) => {
    for (const _ of [1, 2, 3, 4])
      dialog.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  });
  await shows(4);
  await lightbox.locator("ul").evaluate((row) => row.scrollBy({ left: row.clientWidth }));
  await shows(5);
  await page.keyboard.press("Escape");
  await expect(lightbox).toBeHidden();
  await expect(card).toBeFocused();

  await card.click();
  await lightbox.getByRole("button", { name: "닫기" }).click();
  await expect(lightbox).toBeHidden();

  await card.click();
  await shows(0);
  await page.goBack();
  await expect(lightbox).toBeHidden();
  await expect(page).toHaveURL(`${site.url}/gallery`);
  await expect(card).toBeFocused();

  await card.click();
  const entries = await page.evaluate(() => history.length);
  await page.reload();
  await card.click();
  await shows(0);
  expect(await page.evaluate(() => history.length)).toBe(entries);
  await page.goBack();

  // A window of 1280 × 1024 has this size at a zoom of 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  await card.click();
  for (const name of ["이전", "다음"])
    await expect(lightbox.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
});

test("a missing picture gets a placeholder of its height [40]", async ({ page, site, quiet }) => {
  quiet(/Failed to load resource/);
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  // The picture is blocked before the browser can cache the picture.
  const missing = `**${galleryScenes.at(-1)?.src}`;
  await page.route(missing, (route) => route.abort());
  await page.goto(`${site.url}/gallery`);
  await page.locator(OVERLAY_OPENER).last().scrollIntoViewIfNeeded();
  await expect(page.getByText("이미지 준비 중")).toHaveCount(1);
  const without = await height();
  await page.unroute(missing);
  await page.goto(`${site.url}/gallery`);
  expect(await height()).toBe(without);
});
