import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { STOCK_PHOTO_HOST } from "#lib/content/business.ts";
import { offers } from "#lib/content/prices.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { expect, testWithSite as test } from "#testing/browser/test.ts";
import { copyBuildWithTexts } from "#testing/site/copy-of-build.ts";
import { Site } from "#testing/site/site.ts";

const STOCK_PHOTO = `https://${STOCK_PHOTO_HOST}/road.jpg`;
const PHOTOS = { "/art/gallery-1.svg": "/photo.jpg", "/art/gallery-2.svg": STOCK_PHOTO };

const photo = await sharp({
  create: { width: 2_000, height: 1_500, channels: 3, background: "gray" },
})
  .jpeg()
  .toBuffer();

test("a photo is resized by the build, a stock photo by its host", async ({ page }) => {
  await using build = await copyBuildWithTexts(PHOTOS);
  await writeFile(join(build.folder, "public/photo.jpg"), photo);
  execFileSync(process.execPath, [resolve("build/pictures.ts")], { cwd: build.folder });
  await using site = await Site.start({}, build.folder);
  const asked: string[] = [];
  await page.route(`https://${STOCK_PHOTO_HOST}/**`, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: "image/jpeg", body: photo });
  });
  const resized = page.waitForResponse(`${site.url}/_resized/photo.jpg/640.webp`);
  await page.goto(`${site.url}/gallery`);
  expect((await resized).headers()["content-type"]).toBe("image/webp");
  await page.locator("main picture img").nth(1).scrollIntoViewIfNeeded();
  await eventually(() => asked).toEqual([`${STOCK_PHOTO}?w=640&q=75&fit=max&auto=format`]);
  expect(await (await fetch(`${site.url}/privacy`)).text()).toContain(STOCK_PHOTO_HOST);
  const optimizer = `${site.url}/_next/image?url=${encodeURIComponent("/photo.jpg")}&w=640&q=75`;
  expect((await fetch(optimizer)).status).toBe(404);
});

test("a price ticket shows its whole car in windows below 1,024 px", async ({ page, site }) => {
  for (const width of [390, 768]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${site.url}/pricing`);
    const cars = page.locator(".ticket-picture img");
    await expect(cars).toHaveCount(offers.length);
    const shapes = await cars.evaluateAll((images) =>
      images.map((image) => ({
        isWhole: getComputedStyle(image).objectFit === "contain",
        ratio: image.clientWidth / image.clientHeight,
      })),
    );
    for (const { isWhole, ratio } of shapes)
      expect(isWhole || Math.abs(ratio - 16 / 9) < 0.02, `${width} px, ${ratio}`).toBe(true);
  }
});
