import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { drawnFrom, openGraphHtml, shortHash } from "#build/open-graph-template.ts";
import { openGraphImages } from "#lib/content/open-graph-images.ts";
import { offers, wonDigits } from "#lib/content/prices.ts";
import { pageIds } from "#lib/content/seo.ts";

const KILOBYTE = 1024;

describe("the preview pictures", () => {
  for (const id of pageIds) {
    test(`of ${id} was drawn from the copy, prices and art of now (else: npm run previews)`, () => {
      expect(openGraphImages[id].drawnFrom).toBe(drawnFrom(id));
    });

    test(`of ${id} is under 150 KB and carries its own content's hash in its name`, () => {
      const picture = readFileSync(`public${openGraphImages[id].file}`);
      expect(openGraphImages[id].file).toBe(`/previews/${id}-${shortHash(picture)}.jpg`);
      expect(picture.length).toBeLessThan(150 * KILOBYTE);
    });
  }

  test("are the only files in their folder", () => {
    const named = pageIds.map((id) => openGraphImages[id].file.replace("/previews/", ""));
    expect(readdirSync("public/previews").sort()).toEqual(named.sort());
  });

  test("show the brand, and the prices where they are about prices", () => {
    for (const id of pageIds) expect(openGraphHtml(id)).toContain("차근차근 운전연수");
    for (const { price } of offers) expect(openGraphHtml("pricing")).toContain(wonDigits(price));
  });
});
