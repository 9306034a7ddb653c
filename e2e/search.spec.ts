import sharp from "sharp";
import { pagePaths, pages } from "#lib/content/pages.ts";
import { expect, test } from "#testing/browser/test.ts";
import { parseGraph } from "#testing/site/structured-data.ts";

/** Limit of a preview picture: on a phone, KakaoTalk loads a larger one too slowly. */
const MAX_PREVIEW_BYTES = 150 * 1024;

const pictureAt = async (address: string) =>
  Buffer.from(await (await fetch(address)).arrayBuffer());
const sizeOf = async (picture: Buffer) => {
  const { width, height } = await sharp(picture).metadata();
  return `${width}x${height}`;
};

test("each page has its own title, canonical address and preview", async ({ page, site }) => {
  for (const { path, title, description } of Object.values(pages)) {
    await page.mainFrame().goto(`${site.url}${path}?utm_source=kakao`);
    const meta = async (name: string) =>
      page.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute("content");
    const canonical = (await page.locator('link[rel="canonical"]').getAttribute("href")) ?? "";
    expect(new URL(canonical)).toMatchObject({ pathname: path, search: "" });
    await expect(page).toHaveTitle(title);
    await expect(page.locator("html")).toHaveAttribute("lang", "ko");
    for (const [name, content] of Object.entries({
      description,
      // The tag keeps iOS from turning numbers and dates into links before React hydrates the page.
      "format-detection": "telephone=no, date=no, address=no, email=no",
      "og:url": canonical,
      "og:type": "website",
      "og:locale": "ko_KR",
      "og:title": title,
      "og:description": description,
      "twitter:card": "summary_large_image",
      "twitter:title": title,
      "twitter:description": description,
    }))
      expect(await meta(name), name).toBe(content);
    for (const card of ["og", "twitter"]) expect(await meta(`${card}:image:alt`)).toBeTruthy();

    const image = new URL((await meta("og:image")) ?? "");
    expect(image.origin).toBe(new URL(canonical).origin);
    // KakaoTalk loads each address only once, so a changed picture needs a new address.
    expect(image.search).toMatch(/^\?[0-9a-f]{12}$/);
    expect(await meta("twitter:image")).toBe(image.href);
    const picture = await pictureAt(site.url + image.pathname);
    expect(picture.length).toBeLessThan(MAX_PREVIEW_BYTES);
    expect(await sizeOf(picture)).toBe("1200x630");

    const scripts = await page.locator('script[type="application/ld+json"]').allTextContents();
    expect(scripts).toHaveLength(1);
    const nodes = parseGraph(scripts[0] ?? "");
    expect(nodes.length).toBeGreaterThan(0);
    expect(nodes.some((node) => node["@type"] === "BreadcrumbList")).toBe(path !== "/");
  }
});

test("the sitemap and robots.txt lead crawlers to all pages", async ({ request, site }) => {
  const sitemap = await (await request.get(`${site.url}/sitemap.xml`)).text();
  const named = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = ""]) => new URL(url));
  expect(named.map((url) => url.pathname)).toEqual(pagePaths);

  const robots = await (await request.get(`${site.url}/robots.txt`)).text();
  for (const crawler of ["Yeti", "Googlebot", "Daumoa", "*"])
    expect(robots).toContain(`User-Agent: ${crawler}\n`);
  expect(robots).toContain("Disallow: /api/");
  expect(robots).toContain(`Sitemap: ${named[0]?.origin}/sitemap.xml`);
});

test("the manifest's icons have the sizes that the manifest states", async ({ page, site }) => {
  await page.goto(site.url);
  const themeColour = await page.locator('meta[name="theme-color"]').getAttribute("content");
  const link = await page.locator('link[rel="manifest"]').getAttribute("href");
  const manifest = await (await fetch(site.url + link)).json();
  expect(manifest).toMatchObject({ lang: "ko", start_url: "/", theme_color: themeColour });
  const icons: { src: string; sizes: string; purpose?: string }[] = manifest.icons;
  expect(icons.map(({ purpose }) => purpose)).toContain("maskable");
  const touch = await page.locator('link[rel="apple-touch-icon"]').getAttribute("href");
  for (const { src, sizes } of [...icons, { src: touch, sizes: "180x180" }])
    expect(await sizeOf(await pictureAt(site.url + src))).toBe(sizes);
  expect((await fetch(`${site.url}/favicon.ico`)).status).toBe(200);
});
