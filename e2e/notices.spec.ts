import type { Page } from "@playwright/test";
import { keptOf } from "#testing/device.ts";
import { eventually } from "#testing/eventually.ts";
import { API, openContact } from "#testing/form.ts";
import { withoutScrollAnchoring } from "#testing/scroll-anchoring.ts";
import { expect, expectAccessible, test } from "#testing/test.ts";
import { keptOnContact, WAITS } from "#testing/unsent-application.ts";

test.beforeEach(({ quiet }) => quiet(/Failed to load resource/));

test("what one tab deletes is gone, and another tab no longer shows it", async ({
  page,
  site,
  context,
}) => {
  await keptOnContact(page, site.url, "두탭여주");
  const other = await context.newPage();
  await other.route(API, (route) => route.abort());
  await other.goto(`${site.url}/pricing`);
  const shown = other.getByText(WAITS);
  await expect(shown).toBeVisible();
  await page.goto(`${site.url}/gallery`);
  await page.getByRole("button", { name: "삭제" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "삭제하기" }).click();
  await expect(shown).toHaveCount(0);
  await eventually(() => keptOf(page, ["두탭여주"])).toEqual([]);
});

test.describe("where the browser does not hold the text of a reader still, a notice does not move it", () => {
  test.beforeEach(({ page }) => withoutScrollAnchoring(page));

  const drawn = (page: Page) =>
    page.evaluate(
      () => new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end))),
    );

  test("that comes when the page is read", async ({ page, site }) => {
    await page.addInitScript(() => {
      // As Safari: later than the visitor begins to read.
      globalThis.requestIdleCallback = (work) =>
        Number(setTimeout(() => Reflect.apply(work, undefined, []), 1_500));
    });
    await keptOnContact(page, site.url, "안밀여주");
    await page.goto(`${site.url}/pricing`);
    await page.evaluate(() => scrollTo({ top: 600, behavior: "instant" }));
    const heading = page.locator("main h2").first();
    const before = (await heading.boundingBox())?.y;
    await expect(page.getByText(WAITS)).toBeAttached();
    await drawn(page);
    expect((await heading.boundingBox())?.y).toBeCloseTo(before ?? 0, 0);
  });

  test("of what another tab keeps, while the form is filled in", async ({
    page,
    site,
    context,
  }) => {
    const form = await openContact(page, site.url);
    await page.evaluate(() => scrollTo({ top: 600, behavior: "instant" }));
    const field = form.getByLabel("희망 날짜");
    const before = (await field.boundingBox())?.y;
    await keptOnContact(await context.newPage(), site.url, "옆칸여주");
    await page.bringToFront();
    await expect(form.getByText(WAITS)).toBeAttached();
    await drawn(page);
    expect((await field.boundingBox())?.y).toBeCloseTo(before ?? 0, 0);
  });
});
