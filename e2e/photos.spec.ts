import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { STOCK_PHOTO_HOST } from "#lib/content/business.ts";
import { changedBuild } from "#testing/copy-of-build.ts";
import { Site } from "#testing/site.ts";
import { expect, test } from "#testing/test.ts";

/** A picture of the gallery. */
const DRAWING = "/art/gallery-1.svg";
/** Of next.config.ts: a phone's, a tablet's, a wide screen's. */
const SHOWN_WIDTHS = [640, 1080, 2560];

/** A JPEG as of a camera: from light to dark, and every pixel differs a little from the next. */
async function takePhoto(page: Page, width: number, height: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    ([width, height]) => {
      const paint = (width: number, height: number) => {
        const canvas = Object.assign(document.createElement("canvas"), { width, height });
        const context = canvas.getContext("2d");
        if (!context) throw new Error("no canvas");
        return { canvas, context };
      };
      const grain = paint(128, 128);
      const pixels = grain.context.createImageData(128, 128);
      crypto.getRandomValues(pixels.data);
      grain.context.putImageData(pixels, 0, 0);
      const { canvas, context } = paint(width, height);
      const light = context.createLinearGradient(0, 0, width, height);
      light.addColorStop(0, "white");
      light.addColorStop(1, "black");
      context.fillStyle = light;
      context.fillRect(0, 0, width, height);
      context.globalAlpha = 0.2;
      context.fillStyle = context.createPattern(grain.canvas, "repeat") ?? "";
      context.fillRect(0, 0, width, height);
      const url = canvas.toDataURL("image/jpeg", 0.9);
      return url.slice(url.indexOf(",") + 1);
    },
    [width, height] as const,
  );
  return Buffer.from(base64, "base64");
}

/** The photo at an address of the site, in one of its widths. */
const inWidth = (address: string, width: number) =>
  `/_next/image?url=${encodeURIComponent(address)}&w=${width}&q=75`;

/** Looks at a photo on a page of the site, under its policy; returns its size. */
function sizeShown(page: Page, address: string): Promise<[number, number]> {
  return page.evaluate(async (src) => {
    const image = Object.assign(new Image(), { src });
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, address);
}

async function sent(address: string) {
  const answer = await fetch(address, { headers: { accept: "image/webp,*/*" } });
  const { byteLength } = await answer.arrayBuffer();
  return { status: answer.status, type: answer.headers.get("content-type"), byteLength };
}

test("a photo of a camera travels in the width of the screen, as WebP", async ({ page }) => {
  const [width, height] = [2800, 2100];
  const photo = await takePhoto(page, width, height);
  expect(photo.length).toBeGreaterThan(1_500_000);
  const folder = await changedBuild(DRAWING, "/photo.jpg");
  await writeFile(join(folder, "public/photo.jpg"), photo);
  const site = await Site.start({}, folder);
  try {
    await page.goto(site.url);
    for (const shown of SHOWN_WIDTHS) {
      const size = await sizeShown(page, inWidth("/photo.jpg", shown));
      expect(size).toEqual([shown, (shown * height) / width]);
    }
    const small = await sent(site.url + inWidth("/photo.jpg", 828));
    expect(small).toMatchObject({ status: 200, type: "image/webp" });
    expect(small.byteLength).toBeLessThan(photo.length / 10);
  } finally {
    await page.close();
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test("a stock photo that the gallery names is fetched by the site, never by the browser, and no other", async ({
  page,
}) => {
  const photo = await takePhoto(page, 2000, 1500);
  const asked: (string | undefined)[] = [];
  const stock = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(200, { "content-type": "image/jpeg" }).end(photo);
  }).listen(0, "127.0.0.1");
  await once(stock, "listening");
  const address = stock.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const standIn = pathToFileURL(resolve("testing/stock-photos.mjs")).href;
  const folder = await changedBuild(DRAWING, `https://${STOCK_PHOTO_HOST}/road.jpg`);
  const site = await Site.start(
    { NODE_OPTIONS: `--import=${standIn}`, STOCK_PHOTOS_AT: `http://127.0.0.1:${port}` },
    folder,
  );
  try {
    await page.goto(site.url);
    const road = inWidth(`https://${STOCK_PHOTO_HOST}/road.jpg`, 828);
    expect(await sizeShown(page, road)).toEqual([828, 621]);
    const small = await sent(site.url + road);
    expect(small).toMatchObject({ status: 200, type: "image/webp" });
    expect(small.byteLength).toBeLessThan(photo.length / 4);
    for (const other of [
      `https://${STOCK_PHOTO_HOST}/another.jpg`,
      "https://photos.example/road.jpg",
      `http://${STOCK_PHOTO_HOST}/road.jpg`,
      `https://${STOCK_PHOTO_HOST}.example/road.jpg`,
    ]) {
      expect(await sent(site.url + inWidth(other, 828)), other).toMatchObject({ status: 404 });
    }
    expect(asked).toEqual(["/road.jpg"]);
  } finally {
    await page.close();
    await site.stop();
    stock.close();
    await rm(folder, { recursive: true, force: true });
  }
});
