/** What a phone loads when it opens a page for the first time, counted on the requests of a real Chromium. */
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page, type Response } from "@playwright/test";
import { CHROMIUM_FLAGS, chromiumPath } from "#testing/chromium.ts";

const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
  locale: "ko-KR",
} as const;

/** Bytes. Scripts by gzip 9, whatever the server sent, so that two servers compare; the rest as sent. */
export interface FirstLoad {
  js: number;
  html: number;
  css: number;
  fonts: number;
  /** Of the pictures that show something in the first screen. */
  pictures: number;
  /** Addresses of other origins that were asked for. */
  elsewhere: string[];
}

export function openBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  return chromium.launch({ args: CHROMIUM_FLAGS, ...(executablePath && { executablePath }) });
}

/**
 * Opens a page in a fresh profile. What the page loads once the browser is idle is not of the first load:
 * idle callbacks are held back until everything has been counted.
 */
export async function measureFirstLoad(browser: Browser, url: string): Promise<FirstLoad> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    await page.addInitScript(() => {
      globalThis.requestIdleCallback = () => 0;
    });
    const responses: Response[] = [];
    page.on("response", (response) => responses.push(response));
    await page.goto(url, { waitUntil: "networkidle" });
    return await count(page, responses);
  } finally {
    await context.close();
  }
}

async function count(page: Page, responses: readonly Response[]): Promise<FirstLoad> {
  const below = await belowTheFold(page);
  const load: FirstLoad = { js: 0, html: 0, css: 0, fonts: 0, pictures: 0, elsewhere: [] };
  const { origin } = new URL(page.url());
  for (const response of responses) {
    const request = response.request();
    if (response.url().startsWith("data:")) continue;
    if (new URL(response.url()).origin !== origin) load.elsewhere.push(response.url());
    const sent = (await request.sizes()).responseBodySize;
    const kind = request.resourceType();
    if (kind === "script") load.js += gzipSync(await response.body(), { level: 9 }).length;
    else if (kind === "document") load.html += sent;
    else if (kind === "stylesheet") load.css += sent;
    else if (kind === "font") load.fonts += sent;
    else if (kind === "image" && !below.has(response.url())) load.pictures += sent;
  }
  return load;
}

/** The addresses of pictures of which nothing is in the first screen. */
async function belowTheFold(page: Page): Promise<Set<string>> {
  const addresses = await page.evaluate(() => {
    const shown = new Set<string>();
    const hidden = new Set<string>();
    for (const image of document.images) {
      const { top, width } = image.getBoundingClientRect();
      (width > 0 && top < innerHeight ? shown : hidden).add(image.currentSrc);
    }
    return [...hidden].filter((address) => !shown.has(address));
  });
  return new Set(addresses);
}
