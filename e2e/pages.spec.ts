import { seoulYear } from "#lib/application/seoul-time.ts";
import { gallery } from "#lib/content/gallery.ts";
import { offers, wonDigits } from "#lib/content/prices.ts";
import { loadedWhenIdle } from "#testing/come-to-life.ts";
import { LOST, PAGES } from "#testing/pages.ts";
import { expect, expectAccessible, test } from "#testing/test.ts";
import { textOffItsCard } from "#testing/text-off-its-card.ts";

const WIDTHS = [320, 360, 390, 768, 1024, 1440];
/** A phone and a desktop. */
const AXE_WIDTHS = [390, 1440];
const MENU = "[popovertarget]";
const OVERLAY = "main a[aria-haspopup=dialog]";

/** Each page, and what a visitor may have opened on one. */
const STATES: { path: string; opened?: string; what?: string; widths?: number[] }[] = [
  ...[...PAGES, LOST].map((path) => ({ path })),
  { path: "/", opened: MENU, what: "the menu", widths: WIDTHS.filter((width) => width < 1024) },
  { path: "/", opened: OVERLAY, what: "the dialog" },
  { path: "/gallery", opened: OVERLAY, what: "the lightbox" },
];

for (const { path, opened, what, widths = WIDTHS } of STATES) {
  test(`${what ?? path} has no accessibility fault, and at no width and text size do words run off`, async ({
    page,
    site,
    quiet,
  }) => {
    if (path === LOST) quiet(/404/);
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.origin !== site.url && url.protocol !== "data:") elsewhere.push(request.url());
    });
    const answer = await page.goto(site.url + path);
    await loadedWhenIdle(page);
    expect(answer?.status()).toBe(path === LOST ? 404 : 200);
    expect(await answer?.text()).toMatch(new RegExp(`<footer.*© ${seoulYear(Date.now())}`, "s"));
    await expect(page.locator("h1")).toHaveCount(1);
    if (opened) await page.locator(opened).first().click();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `sideways scroll at ${width} px`).toBe(0);
      expect(await page.evaluate(textOffItsCard), `at ${width} px`).toEqual([]);
      if (AXE_WIDTHS.includes(width)) await expectAccessible(page);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    expect(await page.evaluate(textOffItsCard), "text at 200 %").toEqual([]);
    expect(elsewhere).toEqual([]);
  });
}

test("an unknown path is a designed 404 with ways back", async ({ page, site, quiet }) => {
  quiet(/404/);
  const answer = await page.goto(`${site.url}/no-such-road`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("없는 길입니다");
  await expect(page.getByRole("main").getByRole("link", { name: /홈/ })).toHaveAttribute(
    "href",
    "/",
  );
  await page.setViewportSize({ width: 320, height: 640 });
  const number = await page
    .getByRole("main")
    .getByText(/^010-0000-0000$/)
    .boundingBox();
  expect(number?.height, "a number never breaks").toBeLessThan(30);
});

test("the menu opens, closes on a link, on Esc and on widening, and gives the focus back", async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  const open = page.getByRole("button", { name: "메뉴 열기" });
  await open.click();
  const menu = page.locator("#site-menu");
  await expect(menu.getByRole("link", { name: /연수 비용/ })).toBeVisible();

  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(open).toBeFocused();

  await open.click();
  await menu.getByRole("link", { name: /연수 비용/ }).click();
  await expect(page).toHaveURL(`${site.url}/pricing`);
  await expect(menu).toBeHidden();

  await open.click();
  await expect(menu).toBeVisible();
  await page.getByRole("button", { name: "메뉴 닫기" }).click();
  await expect(menu).toBeHidden();

  await open.click();
  await expect(menu).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(menu).toBeHidden();
});

test("the menu closes where it would cover what has the focus, and on a link that stays on the page", async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/contact`);
  const button = page.locator("[popovertarget=site-menu]");
  const menu = page.locator("#site-menu");
  await button.press("Enter");
  await expect(button).toHaveAccessibleName("메뉴 닫기");
  await page.keyboard.press("Tab");
  await expect(menu.getByRole("link").first()).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(menu).toBeVisible();
  await menu.getByRole("link").last().focus();
  await page.keyboard.press("Tab");
  await expect(menu).toBeHidden();
  await expect(page.locator("main :focus")).toHaveCount(1);

  await button.press("Enter");
  await menu.getByRole("link", { name: /연수 신청/ }).click();
  await expect(menu).toBeHidden();
  await expect(page).toHaveURL(/contact#form/);
});

test("a price card on the home page opens the application in a new tab", async ({
  page,
  site,
  context,
}) => {
  await page.goto(site.url);
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: /자차로 신청하기/ }).click(),
  ]);
  await tab.waitForLoadState();
  expect(new URL(tab.url()).pathname).toBe("/contact");
  await expect(page).toHaveURL(`${site.url}/`);
});

test("the three prices stand on both pages, list price and discounted", async ({ site }) => {
  for (const path of ["/", "/pricing"]) {
    const html = await (await fetch(site.url + path)).text();
    const [main = ""] = /<main.*<\/main>/s.exec(html) ?? [];
    const text = main.replace(/<[^>]*>/g, "");
    for (const { listPrice, price } of offers) {
      expect(text).toContain(wonDigits(listPrice));
      expect(text).toContain(wonDigits(price));
    }
  }
});

test("the lightbox wraps both ways, closes on Esc and returns the focus", async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/gallery`);
  const [first, last] = [gallery[0], gallery.at(-1)];
  if (!first || !last) throw new Error("the gallery is empty");
  const card = page
    .getByRole("link", { name: first.title })
    .or(page.getByRole("button", { name: first.title }));
  await card.click();
  const lightbox = page.getByRole("dialog");
  await expect(lightbox).toContainText(`1 / ${gallery.length}`);

  await lightbox.getByRole("button", { name: "이전" }).locator("visible=true").click();
  await expect(lightbox).toContainText(`${gallery.length} / ${gallery.length}`);
  await expect(lightbox.getByRole("heading", { name: last.title })).toBeVisible();
  await lightbox.getByRole("button", { name: "다음" }).locator("visible=true").click();
  await expect(lightbox.getByRole("heading", { name: first.title })).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(lightbox).toContainText(`${gallery.length} / ${gallery.length}`);
  await page.keyboard.press("ArrowRight");
  await expect(lightbox).toContainText(`1 / ${gallery.length}`);

  await page.keyboard.press("Escape");
  await expect(lightbox).toBeHidden();
  await expect(card).toBeFocused();

  await card.click();
  await lightbox.getByRole("button", { name: "닫기" }).click();
  await expect(lightbox).toBeHidden();
});

test("a picture that does not load becomes the placeholder, without a shift", async ({
  page,
  site,
  quiet,
}) => {
  quiet(/Failed to load resource/);
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  // Missing first: a picture that was there once may come from the browser's cache.
  const missing = `**${gallery.at(-1)?.picture.src}`;
  await page.route(missing, (route) => route.abort());
  await page.goto(`${site.url}/gallery`);
  await page
    .locator("main li")
    .nth(gallery.length - 1)
    .scrollIntoViewIfNeeded();
  await expect(page.getByText("이미지 준비 중")).toHaveCount(1);
  const without = await height();
  await page.unroute(missing);
  await page.goto(`${site.url}/gallery`);
  expect(await height()).toBe(without);
});

test("a finger scrolls the lightbox to its neighbour, whose words are then the ones that are read", async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/gallery`);
  await page.locator(OVERLAY).nth(1).click();
  const lightbox = page.getByRole("dialog");
  await expect(lightbox).toContainText(`2 / ${gallery.length}`);
  await lightbox.locator("ul").evaluate((row) => row.scrollBy({ left: row.clientWidth }));
  await expect(lightbox).toContainText(`3 / ${gallery.length}`);
  await expect(lightbox).toHaveAccessibleName(gallery[2]?.title ?? "");
  await expect(lightbox.locator("li:not([inert])")).toHaveText(new RegExp(gallery[2]?.title ?? ""));
});
