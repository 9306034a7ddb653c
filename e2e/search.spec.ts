import type { Page } from "@playwright/test";
import { business } from "#lib/content/business.ts";
import { offers, wonDigits } from "#lib/content/prices.ts";
import { regionNames } from "#lib/content/regions.ts";
import { pageIds, seoPages } from "#lib/content/seo.ts";
import { graphNodes } from "#testing/structured-data.ts";
import { expect, test } from "#testing/test.ts";

/** KakaoTalk and slow phones: a preview picture is no heavier. */
const PREVIEW_BYTES = 150 * 1024;

const PATHS = pageIds.map((id) => seoPages[id].path);

/** The size of a picture of the site, as the browser of a page of the site sees it. */
function sizeOf(page: Page, address: string): Promise<number[]> {
  return page.evaluate(async (src) => {
    const image = Object.assign(new Image(), { src });
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, address);
}

test("each page names itself, its one address and its picture, and tells search engines what it is", async ({
  page,
  site,
}) => {
  for (const id of pageIds) {
    const { path, title, description } = seoPages[id];
    await page.mainFrame().goto(site.url + path);
    const meta = async (name: string) =>
      page.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute("content");
    const canonical = await page.locator('link[rel="canonical"]').getAttribute("href");

    await expect(page).toHaveTitle(title);
    await expect(page.locator("html")).toHaveAttribute("lang", "ko");
    expect(await meta("description")).toBe(description);
    expect(new URL(canonical ?? "").pathname).toBe(path);
    expect(await meta("og:url")).toBe(canonical);
    expect(await meta("og:type")).toBe("website");
    expect(await meta("og:locale")).toBe("ko_KR");
    for (const card of ["og", "twitter"]) {
      expect(await meta(`${card}:title`)).toBe(title);
      expect(await meta(`${card}:description`)).toBe(description);
      expect(await meta(`${card}:image:alt`)).toBeTruthy();
    }
    expect(await meta("twitter:card")).toBe("summary_large_image");

    const image = new URL((await meta("og:image")) ?? "");
    expect(image.origin).toBe(new URL(canonical ?? "").origin);
    expect(await meta("twitter:image")).toBe(image.href);
    const answer = await page.request.get(site.url + image.pathname);
    expect(answer.status()).toBe(200);
    expect((await answer.body()).length).toBeLessThan(PREVIEW_BYTES);
    expect(await sizeOf(page, image.pathname)).toEqual([1200, 630]);

    // That it is schema.org's is said of the same data in lib/content/structured-data.test.ts.
    const scripts = await page.locator('script[type="application/ld+json"]').allTextContents();
    expect(scripts).toHaveLength(1);
    const nodes = graphNodes(scripts[0] ?? "");
    expect(nodes.length).toBeGreaterThan(0);
    expect(nodes.some((node) => node["@type"] === "BreadcrumbList")).toBe(path !== "/");
  }
});

test("the structured data agrees with what the visitor reads", async ({ page, site }) => {
  for (const path of ["/", "/pricing"]) {
    await page.goto(site.url + path);
    const [business] = graphNodes(
      (await page.locator('script[type="application/ld+json"]').textContent()) ?? "",
    );
    const prices = offers.map(({ price }) => ({ price, priceCurrency: "KRW" }));
    expect(business).toMatchObject({ "@type": "LocalBusiness", makesOffer: prices });
    const text = await page.locator("main").textContent();
    for (const { price } of offers) expect(text).toContain(wonDigits(price));
    const phone = await page.locator('a[href^="tel:"]').first().getAttribute("href");
    expect(business?.telephone).toBe(phone?.replace("tel:0", "+82"));
  }
});

test("the home page says in running text what it is and where", async ({ page, site }) => {
  await page.goto(site.url);
  const lead = await page.locator("h1 + p").textContent();
  expect(lead).toContain(business.service);
  for (const town of regionNames) expect(lead).toContain(town);
});

test("sitemap and robots name every page once and keep crawlers out of the API", async ({
  request,
  site,
}) => {
  const sitemap = await (await request.get(`${site.url}/sitemap.xml`)).text();
  const pages = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = ""]) => new URL(url));
  expect(pages.map((url) => url.pathname)).toEqual(PATHS);

  const robots = await (await request.get(`${site.url}/robots.txt`)).text();
  for (const crawler of ["Yeti", "Googlebot", "Daumoa", "*"]) {
    expect(robots).toContain(`User-Agent: ${crawler}\n`);
  }
  expect(robots).toContain("Disallow: /api/");
  expect(robots).toContain(`Sitemap: ${pages[0]?.origin}/sitemap.xml`);
});

test("the manifest's icons are there, in the sizes that it names", async ({ page, site }) => {
  await page.goto(site.url);
  const themeColour = await page.locator('meta[name="theme-color"]').getAttribute("content");
  const link = await page.locator('link[rel="manifest"]').getAttribute("href");
  const manifest = await (await page.request.get(site.url + link)).json();
  expect(manifest).toMatchObject({ lang: "ko", start_url: "/", theme_color: themeColour });
  const icons: { src: string; sizes: string; purpose?: string }[] = manifest.icons;
  expect(icons.map(({ purpose }) => purpose)).toContain("maskable");
  const touch = page.locator('link[rel="apple-touch-icon"]');
  icons.push({ src: (await touch.getAttribute("href")) ?? "", sizes: "180x180" });
  const found: string[] = [];
  for (const { src } of icons) found.push((await sizeOf(page, src)).join("x"));
  expect(found).toEqual(icons.map(({ sizes }) => sizes));
  expect((await page.request.get(`${site.url}/favicon.ico`)).status()).toBe(200);
});

test("each page has one address, and what is not there says so", async ({ request, site }) => {
  const ask = (path: string) => request.get(site.url + path, { maxRedirects: 0 });
  for (const path of PATHS.filter((each) => each !== "/")) {
    const slash = await ask(`${path}/`);
    expect(slash.status(), `${path}/`).toBe(308);
    expect(new URL(slash.headers().location ?? "", site.url).pathname).toBe(path);
    expect((await ask(path.toUpperCase())).status(), path.toUpperCase()).toBe(404);
  }
  for (const path of PATHS) {
    const html = await (await ask(`${path}?utm_source=kakao`)).text();
    expect(html).toMatch(/<link rel="canonical" href="[^"?]*"/);
  }
  const missing = await ask("/no-such-road");
  expect(missing.status()).toBe(404);
  const html = await missing.text();
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(html).not.toContain('rel="canonical"');
});
