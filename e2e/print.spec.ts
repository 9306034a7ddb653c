import { business } from "#lib/content/business.ts";
import { type PageId, pages } from "#lib/content/pages.ts";
import { expect, test } from "#testing/browser/test.ts";

const SHEETS: Partial<Record<PageId, number>> = {
  home: 4,
  gallery: 2,
  pricing: 2,
  contact: 2,
  privacy: 3,
};
/** The margins that Chromium uses by default. */
const MARGIN = { top: "1cm", right: "1cm", bottom: "1cm", left: "1cm" };

const countSheets = (pdf: Buffer) => pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length;

for (const [id, most] of Object.entries(SHEETS)) {
  const { path } = pages[id as PageId];

  test(`${path} is printed on at most ${most} sheets`, async ({ page, site }) => {
    await page.emulateMedia({ media: "print" });
    await page.goto(site.url + path);
    const panels = await page.$$eval("body *", (all) =>
      all
        .filter((element) => element.checkVisibility())
        .map((element) => getComputedStyle(element))
        .filter(
          ({ color, backgroundColor }) =>
            color !== "rgb(0, 0, 0)" || backgroundColor !== "rgba(0, 0, 0, 0)",
        )
        .map(({ color, backgroundColor }) => `${color} on ${backgroundColor}`),
    );
    expect(panels).toEqual([]);
    await expect(page.getByText(business.name).first()).toBeVisible();
    await expect(page.locator(".top-number")).toBeVisible();
    const pdf = await page.pdf({ format: "A4", margin: MARGIN });
    expect(countSheets(pdf)).toBeLessThanOrEqual(most);
  });
}
