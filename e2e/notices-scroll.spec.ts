import { API, fillForm, openContact } from "#testing/form.ts";
import { withoutScrollAnchoring } from "#testing/scroll-anchoring.ts";
import { expect, test } from "#testing/test.ts";

test("what another tab keeps does not move the form that is being filled in, where the browser has no scroll anchoring", async ({
  page,
  site,
  context,
  quiet,
}) => {
  quiet(/Failed to load resource/);
  await withoutScrollAnchoring(page);
  const form = await openContact(page, site.url);
  await page.evaluate(() => scrollTo({ top: 600, behavior: "instant" }));
  const field = form.getByLabel("희망 날짜");
  const before = (await field.boundingBox())?.y;
  const other = await context.newPage();
  const otherForm = await openContact(other, site.url);
  await other.route(API, (route) => route.fulfill({ status: 503, body: "" }));
  await fillForm(otherForm, { name: "옆칸여주" });
  await otherForm.locator("[type=submit]").click();
  await page.bringToFront();
  await expect(form.getByText("아직 보내지 못한 신청서가")).toBeAttached();
  await page.evaluate(
    () => new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end))),
  );
  expect((await field.boundingBox())?.y).toBeCloseTo(before ?? 0, 0);
});
