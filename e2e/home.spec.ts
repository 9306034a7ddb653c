import type { Locator } from "@playwright/test";
import { koreanDateWithWeekday, saturdayAfterNext } from "#lib/application/seoul-time.ts";
import { closingSection } from "#lib/content/home-page.ts";
import { priceBlock } from "#lib/content/pricing-page.ts";
import { textApplicationFields } from "#lib/content/text-application.ts";
import { plainText } from "#lib/content/text-notation.ts";
import { cssColour } from "#testing/browser/css-colour.ts";
import { expect, test } from "#testing/browser/test.ts";
import { findTextOverflow } from "#testing/browser/text-overflow.ts";
import { renderTimes } from "#testing/site/pages.ts";
import { Site } from "#testing/site/site.ts";
import design from "../tailwind.config.ts";

/** The height by which the page may grow: an owner may add regions and offers beyond the usual number. */
async function heightBeyond(entries: Locator, usual: number): Promise<number> {
  const count = await entries.count();
  const topOf = async (index: number) => (await entries.nth(index).boundingBox())?.y ?? 0;
  return (await topOf(count - 1)) - (await topOf(Math.min(usual, count) - 1));
}

test("a phone's home page is at most 7,300 px long", async ({ page }) => {
  // Facts that the owner states would make the page longer, so the test sets none of them.
  await using site = await Site.start({});
  await page.goto(site.url);
  const prices = await page.getByRole("heading", { name: priceBlock.title }).boundingBox();
  const signs = await heightBeyond(page.locator(".two-columns > li"), 8);
  const tickets = await heightBeyond(page.locator(".ticket"), 3);
  expect(prices?.y).toBeLessThan(2_850 + signs);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  // Each field beyond eight may add a line to two lists of the page.
  const lines = 60 * (textApplicationFields.length - 8);
  expect(height).toBeLessThanOrEqual(7_300 + signs + tickets + lines);
  // The page must not request anything after the site has stopped.
  await page.close();
});

test("a price does not break inside its number with wide text spacing", async ({ page, site }) => {
  await page.goto(site.url);
  await page.setViewportSize({ width: 1024, height: 900 });
  // The spacing that WCAG 1.4.12 asks a page to allow.
  await page.evaluate(() => {
    const spacing = new CSSStyleSheet();
    spacing.replaceSync(
      "* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }",
    );
    document.adoptedStyleSheets.push(spacing);
  });
  const lines = await page.locator(".ticket-price").evaluateAll((prices) =>
    prices.map((price) => {
      const range = document.createRange();
      const number = [...price.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE);
      if (number) range.selectNode(number);
      return range.getClientRects().length;
    }),
  );
  expect(new Set(lines)).toEqual(new Set([1]));
  expect(await page.evaluate(findTextOverflow)).toEqual([]);
});

test("a phone first shows regions, prices and ways to apply", async ({ page, site }) => {
  await page.goto(site.url);
  const bar = await page.locator(".bottom-bar").boundingBox();
  for (const fact of ["h1 + p", "h1 + p + p", ".hero-ways"]) {
    const box = await page.locator(fact).boundingBox();
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0), fact).toBeLessThan(bar?.y ?? 0);
  }
  const plate = await page.locator(".hero-picture img").evaluate((image: HTMLImageElement) => {
    const { top, width, height } = image.getBoundingClientRect();
    const [, offset = "0"] = getComputedStyle(image).objectPosition.split(" ");
    // The drawing is 800×1000 px. The number plate of its car ends at y = 775.
    const scale = width / 800;
    return top + (height - 1_000 * scale) * (Number.parseFloat(offset) / 100) + 775 * scale;
  });
  expect(plate).toBeLessThan(bar?.y ?? 0);
  const days = renderTimes().map((time) => koreanDateWithWeekday(saturdayAfterNext(time), time));
  const bubbles = (await page.locator(".text-bubble").allTextContents()).join("\n");
  expect(days.filter((day) => bubbles.includes(day)).length, bubbles).toBeGreaterThan(0);

  // The dot between two prices is hidden where the line breaks.
  await page.setViewportSize({ width: 320, height: 640 });
  const edges = await page.locator("h1 + p + p a").evaluate((line) => ({
    line: line.getBoundingClientRect().x,
    isClipped: getComputedStyle(line).overflowX === "clip",
    prices: [...line.children].map((price) => {
      const { x, y } = price.getBoundingClientRect();
      const dot = Number.parseFloat(getComputedStyle(price, "::before").width);
      return { y, text: x + dot };
    }),
  }));
  expect(new Set(edges.prices.map(({ y }) => y)).size).toBe(2);
  expect(edges.isClipped).toBe(true);
  for (const { text } of edges.prices) expect(text).toBeCloseTo(edges.line, 0);
});

test("the closing section is readable without its picture", async ({ page, site, quiet }) => {
  quiet(/Failed to load resource/);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.route(`**${closingSection.picture.src}`, (route) => route.abort());
  await page.goto(site.url);
  const picture = page.locator(".closing-picture");
  await expect(picture).toHaveCSS("background-color", cssColour(design.theme.colors.sign[800]));
  await page
    .getByRole("heading", { name: plainText(closingSection.title) })
    .scrollIntoViewIfNeeded();
  await expect(picture).toBeHidden();
});
