import { fillForm, openContact, shownReceipt } from "#testing/browser/form.ts";
import { expect, test } from "#testing/browser/test.ts";

const touch = (element: Element) =>
  element.dispatchEvent(new PointerEvent("pointerdown", { pointerType: "touch", bubbles: true }));

test("the panel of a received application stays open while it is read", async ({ page, site }) => {
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "읽는여주" });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await form.locator("[type=submit]").press("Enter");
  const heading = shownReceipt(form);
  await expect(heading).toBeFocused();
  const values = form.getByText("신청 내용");
  let endLast = async (): Promise<unknown> => undefined;
  for (const [begin, end] of [
    [
      () => values.evaluate((element) => getSelection()?.selectAllChildren(element)),
      () => page.evaluate(() => getSelection()?.removeAllRanges()),
    ],
    [
      // The page counts as hidden, like a page in a background tab.
      () =>
        page.evaluate(() =>
          Object.defineProperty(document, "hidden", { value: true, configurable: true }),
        ),
      () => page.evaluate(() => Reflect.deleteProperty(document, "hidden")),
    ],
    [
      async () => {
        // The countdown ignores a mouse event without movement, such as the first event of a mouse.
        await page.mouse.move(0, 0);
        await values.hover();
      },
      () => page.mouse.move(0, 0),
    ],
  ] as const) {
    await begin();
    await endLast();
    endLast = end;
    for (let seconds = 0; seconds < 5; seconds++) await page.clock.runFor(1_000);
    await expect(heading).toBeVisible();
  }
  await endLast();
  await page.clock.runFor(4_000);
  await expect(heading).toBeHidden();
  const receipt = form.getByRole("region", { name: "접수되었습니다" });
  await expect(receipt).toContainText(/[2-9A-Z]{4}-[2-9A-Z]{4}/);
  await expect(page.locator(":focus")).toContainText("접수되었습니다");
  await page.setViewportSize({ width: 320, height: 844 });
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "150%"));
  const overflow = () =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await page.evaluate(overflow), "a receipt in large text").toBe(0);
});

test("a touched panel of a received application stays until the visitor closes it", async ({
  page,
  site,
}) => {
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "만진여주" });
  await page.clock.install();
  await form.locator("[type=submit]").press("Enter");
  const heading = shownReceipt(form);
  await form.getByText("신청 내용").evaluate(touch);
  await expect(form.getByText("초 뒤 빈 신청서로")).toBeHidden();
  await page.clock.runFor(10_000);
  await expect(heading).toBeVisible();
  await form.getByRole("button", { name: "새 신청서 쓰기" }).click();
  await expect(heading).toBeHidden();
});
