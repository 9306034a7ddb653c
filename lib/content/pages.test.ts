import { globSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { business } from "#lib/content/business.ts";
import { pageIds, pagePaths, pages, pageUrl } from "#lib/content/pages.ts";
import { formatGroupPrice, formatLowestPrice, formatWon, offers } from "#lib/content/prices.ts";
import { listRegionNames } from "#lib/content/regions.ts";

const regionNames = listRegionNames();

/** Limit in Korean syllables. Search engines cut longer titles. */
const MAX_TITLE_LENGTH = 30;
/** In characters: about twice what search engines show of a Korean text. */
const MAX_DESCRIPTION_LENGTH = 160;

test("the list of pages has every page but /contact/result", () => {
  const routes = globSync("app/**/page.tsx").map((file) => dirname(file).slice(3) || "/");
  expect(routes.toSorted()).toEqual([...pagePaths, "/contact/result"].toSorted());
});

test("each page has its own title, description and address", () => {
  const all = Object.values(pages);
  for (const key of ["path", "title", "description"] as const) {
    expect(new Set(all.map((page) => page[key])).size).toBe(all.length);
  }
});

test.each(pageIds)("title and description of %s are plain text within their limits", (id) => {
  const { title, description } = pages[id];
  expect(title.match(/[가-힣]/g)?.length).toBeLessThanOrEqual(MAX_TITLE_LENGTH);
  expect(title).toContain(business.service);
  expect(title + description).not.toMatch(/[⏎[\]{}]/);
  expect(description.length).toBeLessThanOrEqual(MAX_DESCRIPTION_LENGTH);
});

const firstTowns = new RegExp(`^${regionNames[0]}·${regionNames[1]} ${business.service} `);
const groupPrices = offers.map(({ group }) => formatGroupPrice(group));
const prices = offers.map(({ price }) => formatWon(price));
test.each<[string, text: string, parts: (string | RegExp)[]]>([
  ["the title of home", pages.home.title, regionNames.slice(0, 7)],
  ["the title of pricing", pages.pricing.title, [firstTowns, formatLowestPrice(offers)]],
  ["the title of contact", pages.contact.title, [firstTowns]],
  ["the description of home", pages.home.description, groupPrices],
  ["the description of pricing", pages.pricing.description, prices],
])("%s names what people search for", (_, text, parts) => {
  for (const part of parts) expect(text).toMatch(part);
});

test("the address of a page has no slash at its end", () => {
  const site = "https://practice.example";
  expect(pageUrl(site, pages.home)).toBe(site);
  expect(pageUrl(site, pages.pricing)).toBe(`${site}/pricing`);
});
