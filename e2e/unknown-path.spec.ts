import { expect, test } from "#testing/browser/test.ts";
import { UNKNOWN_PATH } from "#testing/site/pages.ts";

test("an unknown path shows a 404 page with a link home", async ({ page, site, quiet }) => {
  quiet(/404/);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto(site.url + UNKNOWN_PATH);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toContainText("없는 길입니다");
  await expect(main.getByRole("link", { name: /홈/ })).toHaveAttribute("href", "/");
  await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
  await expect(page.locator("link[rel=canonical]")).toHaveCount(0);
  const [content, footer] = [await main.boundingBox(), await page.locator("footer").boundingBox()];
  expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeGreaterThanOrEqual(1079);
  expect((content?.y ?? 0) + (content?.height ?? 0)).toBeCloseTo(footer?.y ?? 0, 0);
  await page.setViewportSize({ width: 320, height: 640 });
  const number = await main.getByText(/^010-0000-0000$/).boundingBox();
  expect(number?.height, "a number never breaks").toBeLessThan(30);
});
