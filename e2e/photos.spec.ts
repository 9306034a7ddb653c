import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { STOCK_PHOTO_HOST } from "#lib/content/business.ts";
import { offers } from "#lib/content/prices.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { expect, testWithSite as test } from "#testing/browser/test.ts";
import { copyBuildWithTexts } from "#testing/site/copy-of-build.ts";
import { Site } from "#testing/site/site.ts";

const STOCK = `https://${STOCK_PHOTO_HOST}/road.jpg`;
const PHOTOS = { "/art/gallery-1.svg": "/photo.jpg", "/art/gallery-2.svg": STOCK };
const [WIDTH, HEIGHT] = [2000, 1500];

/** A JPEG with noise, so that the file is as large as a camera's. */
const photo = await sharp({
  create: {
    ...{ width: WIDTH, height: HEIGHT, channels: 3, background: "white" },
    noise: { type: "gaussian", mean: 128, sigma: 20 },
  },
})
  .jpeg({ quality: 90 })
  .toBuffer();

/** The address and the width of the first two pictures of the gallery. */
const galleryPictures = (page: Page) =>
  page
    .locator("main picture img")
    .evaluateAll((images: HTMLImageElement[]) =>
      images.slice(0, 2).map(({ currentSrc, naturalWidth }) => ({ currentSrc, naturalWidth })),
    );

test("a photo comes in the width of the screen, a stock photo from its host", async ({ page }) => {
  expect(photo.length).toBeGreaterThan(1_000_000);
  await using build = await copyBuildWithTexts(PHOTOS);
  await writeFile(join(build.folder, "public/photo.jpg"), photo);
  execFileSync(process.execPath, [resolve("build/pictures.ts")], { cwd: build.folder });
  await using site = await Site.start({}, build.folder);
  const asked: string[] = [];
  await page.route(`https://${STOCK_PHOTO_HOST}/**`, (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: "image/jpeg", body: photo });
  });
  await page.goto(`${site.url}/gallery`);
  await page.locator("main picture img").nth(1).scrollIntoViewIfNeeded();
  await eventually(async () =>
    (await galleryPictures(page)).every(({ naturalWidth }) => naturalWidth > 0),
  ).toBe(true);
  const [own] = await galleryPictures(page);
  expect(own?.currentSrc).toBe(`${site.url}/_resized/photo.jpg/640.webp`);
  expect(asked).toEqual([`${STOCK}?w=640&q=75&fit=max&auto=format`]);

  const answer = await fetch(`${site.url}/_resized/photo.jpg/640.webp`);
  const body = Buffer.from(await answer.arrayBuffer());
  expect(answer.headers.get("content-type")).toBe("image/webp");
  expect(await sharp(body).metadata()).toMatchObject({ format: "webp", width: 640, height: 480 });
  expect(body.length).toBeLessThan(photo.length / 2);
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
