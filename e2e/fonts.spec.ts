import type { Page } from "@playwright/test";
import { fontCharacters } from "#build/font-characters.ts";
import { pagePaths } from "#lib/content/pages.ts";
import { eventually } from "#testing/eventually.ts";
import { expect, test } from "#testing/test.ts";

const WIDTHS = [390, 1440];

/** Every character of text that has a place on the page. */
function shownCharacters(page: Page): Promise<string> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      range.selectNodeContents(texts.currentNode);
      if (range.getClientRects().length === 0) continue;
      for (const character of texts.currentNode.nodeValue?.trim() ?? "") found.add(character);
    }
    return [...found].sort().join("");
  });
}

/** The files of the font that the browser has asked for, by their names. */
function fontsAskedFor(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map(({ name }) => /font_([a-z]+)/.exec(name)?.[1] ?? "")
      .filter(Boolean)
      .sort(),
  );
}

test("a page is shown with the preloaded file of the font alone", async ({ page, site }) => {
  const { pages } = await fontCharacters();
  for (const path of pagePaths.filter((each) => each !== "/privacy")) {
    await page.goto(site.url + path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const shown = await shownCharacters(page);
      expect(shown.length).toBeGreaterThan(80);
      expect([...shown].filter((character) => !pages.includes(character))).toEqual([]);
      expect(await fontsAskedFor(page), `${path} at ${width} px`).toEqual(["pages"]);
    }
  }
});

test("only /privacy asks for the characters of its own", async ({ page, site }) => {
  await page.goto(`${site.url}/privacy`);
  await eventually(() => fontsAskedFor(page)).toEqual(["pages", "privacy"]);
});

test("what is said later comes with its own file", async ({ page, site }) => {
  await page.goto(`${site.url}/contact`);
  await page.locator("textarea").fill("Q~");
  await eventually(() => fontsAskedFor(page)).toEqual(["later", "pages"]);
});
