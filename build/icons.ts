/** The icons, drawn from the logo (app/icon.svg): home screens, the web manifest, and the old favicon.ico. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";

const SYMBOL = "app/icon.svg";

/**
 * `rounded` as it is; `full` to the edges, for systems that cut the corners themselves; `maskable` with the
 * symbol inside the middle circle of 80 %, which every mask leaves (W3C, Web Application Manifest).
 */
type Shape = "rounded" | "full" | "maskable";

function symbol(shape: Shape): string {
  const svg = readFileSync(SYMBOL, "utf8").replace(/<title.*<\/title>/, "");
  if (shape === "rounded") return svg;
  const square = svg.replace('rx="14"', 'rx="0"');
  if (shape === "full") return square;
  return square.replace(
    /<g transform="[^"]*">/,
    '<g transform="translate(10.24 10.24) scale(.68)">',
  );
}

async function draw(page: Page, size: number, shape: Shape): Promise<Buffer> {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${symbol(shape)}`,
  );
  return page.screenshot({ type: "png", omitBackground: true });
}

/** A favicon.ico of PNG pictures (the format since Windows Vista): a directory, then the pictures. */
function ico(pictures: { size: number; png: Buffer }[]): Buffer {
  const directory = Buffer.alloc(6 + 16 * pictures.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(pictures.length, 4);
  let offset = directory.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const entry = 6 + 16 * index;
    directory.writeUInt8(size, entry);
    directory.writeUInt8(size, entry + 1);
    directory.writeUInt16LE(1, entry + 4);
    directory.writeUInt16LE(32, entry + 6);
    directory.writeUInt32LE(png.length, entry + 8);
    directory.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([directory, ...pictures.map(({ png }) => png)]);
}

export async function drawIcons(page: Page): Promise<void> {
  mkdirSync("public/icons", { recursive: true });
  writeFileSync("public/icons/icon-192.png", await draw(page, 192, "rounded"));
  writeFileSync("public/icons/icon-512.png", await draw(page, 512, "rounded"));
  writeFileSync("public/icons/icon-maskable-512.png", await draw(page, 512, "maskable"));
  writeFileSync("app/apple-icon.png", await draw(page, 180, "full"));
  const small = [];
  for (const size of [32, 48]) small.push({ size, png: await draw(page, size, "rounded") });
  writeFileSync("app/favicon.ico", ico(small));
}
