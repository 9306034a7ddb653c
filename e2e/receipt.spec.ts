import { fillForm, openContact, receivedPanel } from "#testing/browser/form.ts";
import { expect, test } from "#testing/browser/test.ts";

test("the panel of a received application stays open while it is being read", async ({
  page,
  site,
}) => {
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "읽는여주" });
  await page.clock.install();
  await form.locator("[type=submit]").press("Enter");
  const heading = receivedPanel(form);
  await expect(heading).toBeFocused();
  await form
    .getByText("신청 내용")
    .evaluate((element) => getSelection()?.selectAllChildren(element));
  // The countdown starts each second only after a rendering, so the clock runs in steps.
  for (let seconds = 0; seconds < 10; seconds++) await page.clock.runFor(1_000);
  await expect(heading).toBeVisible();
  await page.evaluate(() => {
    getSelection()?.removeAllRanges();
    // The page is in a hidden tab.
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
  });
  for (let seconds = 0; seconds < 10; seconds++) await page.clock.runFor(1_000);
  await expect(heading).toBeVisible();
  await page.evaluate(() => Reflect.deleteProperty(document, "hidden"));
  await page.clock.runFor(4_000);
  await expect(heading).toBeHidden();
  const receipt = form.getByRole("region", { name: "접수되었습니다" });
  await expect(receipt).toContainText(/[2-9A-Z]{4}-[2-9A-Z]{4}/);
  await expect(page.locator(":focus")).toContainText("접수되었습니다");
});
