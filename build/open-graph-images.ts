/**
 * Draws the preview picture of each page (`npm run previews`), and notes the pictures' names
 * in lib/content/open-graph-images.ts. A name carries a hash of its picture: KakaoTalk keeps what it once loaded
 * from an address. Run it after a change of prices, headlines or illustrations; a test asks for it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { chromium, type Page } from "@playwright/test";
import { WITHOUT_WINDOWS } from "#build/chromium.ts";
import { drawnFrom, openGraphHtml, shortHash } from "#build/open-graph-template.ts";
import { openGraphImageSize } from "#lib/content/open-graph-images.ts";
import { pageIds } from "#lib/content/seo.ts";

const FOLDER = "public/previews";
const FONT = "node_modules/pretendard/dist/web/variable/woff2/PretendardVariable.woff2";
/** Lettering stays clean above it, and every picture under 150 KB. */
const JPEG_QUALITY = 88;

async function drawImages(page: Page): Promise<void> {
  const font = `url(data:font/woff2;base64,${readFileSync(FONT).toString("base64")})`;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  await page.setViewportSize(openGraphImageSize);
  const lines: string[] = [];
  for (const id of pageIds) {
    await page.setContent(openGraphHtml(id, font), { waitUntil: "load" });
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const picture = await page.screenshot({ type: "jpeg", quality: JPEG_QUALITY });
    const file = `/previews/${id}-${shortHash(picture)}.jpg`;
    writeFileSync(`public${file}`, picture);
    lines.push(`  ${id}: { file: "${file}", drawnFrom: "${drawnFrom(id)}" },`);
    console.info(`public${file}: ${Math.round(picture.length / 1024)} KB`);
  }
  const module = readFileSync("lib/content/open-graph-images.ts", "utf8");
  const start = "export const openGraphImages = {\n";
  const head = module.slice(0, module.indexOf(start) + start.length);
  writeFileSync("lib/content/open-graph-images.ts", `${head}${lines.join("\n")}\n} as const;\n`);
}

await using browser = await chromium.launch(WITHOUT_WINDOWS);
const page = await browser.newPage();
await drawImages(page);
