import { business } from "#lib/content/business.ts";
import { type PageId, pages } from "#lib/content/pages.ts";
import { openContact, openDialog } from "#testing/browser/form.ts";
import { expect, test } from "#testing/browser/test.ts";

const MAX_SHEETS: Partial<Record<PageId, number>> = {
  home: 4,
  gallery: 2,
  pricing: 2,
  contact: 2,
  privacy: 3,
};
/** The margins that Chromium uses by default. */
const MARGIN = { top: "1cm", right: "1cm", bottom: "1cm", left: "1cm" };

const countSheets = (pdf: Buffer) => pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length;

for (const [id, most] of Object.entries(MAX_SHEETS)) {
  const { path } = pages[id as PageId];

  test(`${path} is printed black on white, on at most ${most} sheets`, async ({ page, site }) => {
    await page.emulateMedia({ media: "print" });
    await page.goto(site.url + path);
    const colours = await page.$$eval("body *", (all) =>
      all
        .filter((element) => element.checkVisibility())
        .map((element) => getComputedStyle(element))
        .filter(
          ({ color, backgroundColor }) =>
            color !== "rgb(0, 0, 0)" || backgroundColor !== "rgba(0, 0, 0, 0)",
        )
        .map(({ color, backgroundColor }) => `${color} on ${backgroundColor}`),
    );
    expect(colours).toEqual([]);
    await expect(page.getByText(business.name).first()).toBeVisible();
    await expect(page.locator(".top-number")).toBeVisible();
    const pdf = await page.pdf({ format: "A4", margin: MARGIN });
    expect(countSheets(pdf)).toBeLessThanOrEqual(most);
  });
}

test("a sheet ends neither with a question nor with a field's label", async ({ page, site }) => {
  await page.emulateMedia({ media: "print" });
  for (const [path, inside] of [
    ["/pricing", page.getByRole("heading", { name: "연락이 오나요" })],
    ["/contact", page.getByLabel("남기실 말씀")],
  ] as const) {
    await page.goto(site.url + path);
    const kept = await inside.evaluate((element) => {
      const isKept = (each: Element) => getComputedStyle(each).breakInside === "avoid";
      for (let each: Element | null = element; each; each = each.parentElement)
        if (isKept(each)) return true;
      return false;
    });
    expect(kept, path).toBe(true);
  }
});

test("an open dialog is not printed", async ({ page, site }) => {
  // A printed dialog would be repeated on each sheet.
  const dialog = await openDialog(page, site.url);
  await page.emulateMedia({ media: "print" });
  await expect(dialog).toBeHidden();
  await expect(page.getByText(business.name).first()).toBeVisible();
});

test("all lines of a message are printed", async ({ page, site }) => {
  const form = await openContact(page, site.url);
  const message = form.getByLabel("남기실 말씀");
  await message.fill("한 줄\n".repeat(30));
  await page.emulateMedia({ media: "print" });
  const { scrollHeight, clientHeight } = await message.evaluate((field) => ({
    scrollHeight: field.scrollHeight,
    clientHeight: field.clientHeight,
  }));
  expect(clientHeight).toBe(scrollHeight);
});
