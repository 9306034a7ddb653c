import { copyPhoneLabels } from "#lib/content/links.ts";
import { expect, expectAccessible, test } from "#testing/browser/test.ts";

const TOP_NUMBER = ".top-number";

test.use({
  isMobile: false,
  hasTouch: false,
  viewport: { width: 1280, height: 900 },
  permissions: ["clipboard-read", "clipboard-write"],
});

test("the phone number can be copied on a desktop", async ({ page, site }) => {
  const copy = page.getByRole("button", { name: copyPhoneLabels.copy });
  for (const [path, count] of [
    ["/", 2],
    ["/gallery", 1],
    ["/pricing", 1],
  ] as const) {
    await page.goto(site.url + path);
    await expect(copy).toHaveCount(count);
  }
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await copy.click();
  const copied = page.getByRole("button", { name: copyPhoneLabels.copied });
  await expect(copied).toBeVisible();
  const shown = await page.locator(TOP_NUMBER).textContent();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
  // The button returns to its first label, because the visitor may have copied something else since.
  await page.clock.runFor(3_000);
  await copy.click();
  // A page over plain http has no clipboard, except on localhost.
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await copied.click();
  await page.clock.runFor(3_000);
  await expect(page.getByText(copyPhoneLabels.byHand)).toBeVisible();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(shown);
  await page.clock.resume();
  await expectAccessible(page);
});
