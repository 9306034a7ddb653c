import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import sharp from "sharp";
import { STOCK_PHOTO_HOST } from "#lib/content/business.ts";
import { changedBuild } from "#testing/copy-of-build.ts";
import { Site } from "#testing/site.ts";
import { expect, withSite as test } from "#testing/test.ts";

/** A picture of the gallery. */
const DRAWING = "/art/gallery-1.svg";
const [WIDTH, HEIGHT] = [2800, 2100];

/** A JPEG as of a camera: every pixel differs a little from the next. */
const photo = await sharp({
  create: {
    ...{ width: WIDTH, height: HEIGHT, channels: 3, background: "white" },
    noise: { type: "gaussian", mean: 128, sigma: 20 },
  },
})
  .jpeg({ quality: 90 })
  .toBuffer();

/** A picture at an address of the site, as a browser is sent it in one of the widths. */
async function sent(site: Site, address: string, width: number) {
  const url = `${site.url}/_next/image?url=${encodeURIComponent(address)}&w=${width}&q=75`;
  const answer = await fetch(url, { headers: { accept: "image/webp,*/*" } });
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
}

/** It is a WebP in this width, much smaller than the photo. */
async function expectWidth({ status, body }: { status: number; body: Buffer }, width: number) {
  expect(status).toBe(200);
  const height = (width * HEIGHT) / WIDTH;
  expect(await sharp(body).metadata()).toMatchObject({ format: "webp", width, height });
  expect(body.length).toBeLessThan(photo.length / 2);
}

test("a photo of a camera travels in the width of the screen, as WebP", async () => {
  expect(photo.length).toBeGreaterThan(1_500_000);
  const folder = await changedBuild(DRAWING, "/photo.jpg");
  await writeFile(join(folder, "public/photo.jpg"), photo);
  const site = await Site.start({}, folder);
  try {
    // Of next.config.ts: a phone's, a tablet's, a wide screen's.
    for (const width of [640, 1080, 2560])
      await expectWidth(await sent(site, "/photo.jpg", width), width);
    const page = await (await fetch(`${site.url}/gallery`)).text();
    expect(page).toMatch(/srcSet="[^"]*photo\.jpg&amp;w=640[^"]* 640w/);
  } finally {
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test("a stock photo that the gallery names is fetched by the site, never by the browser, and no other", async () => {
  const asked: (string | undefined)[] = [];
  const stock = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(200, { "content-type": "image/jpeg" }).end(photo);
  }).listen(0, "127.0.0.1");
  await once(stock, "listening");
  const { port } = stock.address() as AddressInfo;
  const standIn = pathToFileURL(resolve("testing/stock-photos.mjs")).href;
  const folder = await changedBuild(DRAWING, `https://${STOCK_PHOTO_HOST}/road.jpg`);
  const site = await Site.start(
    { NODE_OPTIONS: `--import=${standIn}`, STOCK_PHOTOS_AT: `http://127.0.0.1:${port}` },
    folder,
  );
  try {
    await expectWidth(await sent(site, `https://${STOCK_PHOTO_HOST}/road.jpg`, 828), 828);
    for (const other of [
      `https://${STOCK_PHOTO_HOST}/another.jpg`,
      "https://photos.example/road.jpg",
      `http://${STOCK_PHOTO_HOST}/road.jpg`,
      `https://${STOCK_PHOTO_HOST}.example/road.jpg`,
    ])
      expect(await sent(site, other, 828), other).toMatchObject({ status: 404 });
    expect(asked).toEqual(["/road.jpg"]);
    // The address that a browser asks is the site's own.
    const page = await (await fetch(`${site.url}/gallery`)).text();
    expect(page).not.toMatch(new RegExp(`(src|srcSet)="https://${STOCK_PHOTO_HOST}`));
  } finally {
    await site.stop();
    stock.close();
    await rm(folder, { recursive: true, force: true });
  }
});
