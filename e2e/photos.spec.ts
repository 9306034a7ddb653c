import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import { STOCK_PHOTO_HOST } from "#lib/content/business.ts";
import { offers } from "#lib/content/prices.ts";
import { expect, testWithSite as test } from "#testing/browser/test.ts";
import { listeningPort } from "#testing/peers/listening-port.ts";
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

/** Expects a WebP of this width, with less than half of the photo's bytes. */
async function expectWidth(site: Site, address: string, width: number) {
  const url = `${site.url}/_next/image?url=${encodeURIComponent(address)}&w=${width}&q=75`;
  const answer = await fetch(url, { headers: { accept: "image/webp,*/*" } });
  expect(answer.status).toBe(200);
  const body = Buffer.from(await answer.arrayBuffer());
  const height = (width * HEIGHT) / WIDTH;
  expect(await sharp(body).metadata()).toMatchObject({ format: "webp", width, height });
  expect(body.length).toBeLessThan(photo.length / 2);
}

test("a photo is served as WebP in the width of the screen", async () => {
  expect(photo.length).toBeGreaterThan(1_000_000);
  const asked: (string | undefined)[] = [];
  const stock = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(200, { "content-type": "image/jpeg" }).end(photo);
  }).listen(0, "127.0.0.1");
  await once(stock, "listening");
  const standIn = pathToFileURL(resolve("testing/site/stock-photos.mjs")).href;
  await using build = await copyBuildWithTexts(PHOTOS);
  await writeFile(join(build.folder, "public/photo.jpg"), photo);
  const settings = {
    NODE_OPTIONS: `--import=${standIn}`,
    STOCK_PHOTOS_AT: `http://127.0.0.1:${listeningPort(stock)}`,
  };
  try {
    await using site = await Site.start(settings, build.folder);
    for (const width of [640, 1080]) await expectWidth(site, "/photo.jpg", width);
    await expectWidth(site, STOCK, 828);
    expect(asked).toEqual(["/road.jpg"]);
    const page = await (await fetch(`${site.url}/gallery`)).text();
    expect(page).toMatch(/srcSet="[^"]*photo\.jpg&amp;w=640[^"]* 640w[^"]* 2560w/);
    expect(page).not.toMatch(new RegExp(`(src|srcSet)="https://${STOCK_PHOTO_HOST}`));
  } finally {
    stock.close();
  }
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
