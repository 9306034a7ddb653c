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
  expect(description).not.toMatch(/[⏎[\]{}]/);
  expect(description.length).toBeLessThanOrEqual(MAX_DESCRIPTION_LENGTH);
});

test("the title of home names the first seven regions", () => {
  for (const region of regionNames.slice(0, 7)) expect(pages.home.title).toContain(region);
});

test.each(["pricing", "contact"] as const)(
  "the title of %s starts with the first two regions",
  (id) => {
    expect(pages[id].title).toMatch(
      new RegExp(`^${regionNames[0]}·${regionNames[1]} ${business.service} `),
    );
  },
);

test("the title of pricing names the lowest price", () => {
  expect(pages.pricing.title).toContain(formatLowestPrice(offers));
});

test("the descriptions of home and pricing name the prices", () => {
  for (const { group, price } of offers) {
    expect(pages.home.description).toContain(formatGroupPrice(group));
    expect(pages.pricing.description).toContain(formatWon(price));
  }
});

test("the address of a page has no slash at its end", () => {
  const site = "https://practice.example";
  expect(pageUrl(site, pages.home)).toBe(site);
  expect(pageUrl(site, pages.pricing)).toBe(`${site}/pricing`);
});
