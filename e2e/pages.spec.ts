/** What a visitor sees without doing anything, and what the pages do under the hand. */
import { koreanDay, saturdayToCome, seoulYear } from "#lib/application/seoul-time.ts";
import { copyNumber } from "#lib/content/links.ts";
import { pagePaths } from "#lib/content/pages.ts";
import { comeToLife, loadedWhenIdle } from "#testing/come-to-life.ts";
import { expect, expectAccessible, test } from "#testing/test.ts";
import { textOffItsCard } from "#testing/text-off-its-card.ts";

const LOST = "/no-such-road";
const WIDTHS = [320, 360, 390, 768, 1024, 1440];
/** A phone and a desktop. */
const AXE_WIDTHS = [390, 1440];
const MENU = "[popovertarget]";
const OVERLAY = "main a[aria-haspopup=dialog]";
const NUMBER = ".top-number";

/** Each page, and what a visitor may have opened on one. */
const STATES: { path: string; opened?: string; what?: string; widths?: number[] }[] = [
  ...[...pagePaths, LOST].map((path) => ({ path })),
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
      const number = await page.locator(NUMBER).boundingBox();
      if (width >= 360) expect(number?.width, `the number at ${width} px`).toBeGreaterThan(90);
      const brand = await page.locator("header a[href='/'] span span").boundingBox();
      expect(brand?.height, `the name in one line at ${width} px`).toBeLessThan(30);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    expect(await page.evaluate(textOffItsCard), "text at 200 %").toEqual([]);
    expect(elsewhere).toEqual([]);
  });
}

test("price and region stand in the first screen of a phone, and the example names a Saturday to come", async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(site.url);
  const bar = await page.locator(".bottom-bar").boundingBox();
  for (const fact of ["h1 + p", "h1 + p + p"]) {
    const box = await page.locator(fact).boundingBox();
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0), fact).toBeLessThan(bar?.y ?? 0);
  }
  const day = koreanDay(saturdayToCome(Date.now()));
  await expect(page.locator(".text-bubble").filter({ hasText: day })).toHaveCount(1);

  // In a narrower one each price has a line, and no dot between them is left over.
  await page.setViewportSize({ width: 320, height: 640 });
  const edges = await page.locator("h1 + p + p strong").evaluate((line) => ({
    line: line.getBoundingClientRect().x,
    isClipped: getComputedStyle(line).overflowX === "clip",
    prices: [...line.children].map((price) => {
      const { x, y } = price.getBoundingClientRect();
      const dot = Number.parseFloat(getComputedStyle(price, "::before").width);
      return { y, text: x + dot };
    }),
  }));
  expect(new Set(edges.prices.map(({ y }) => y)).size).toBe(2);
  expect(edges.isClipped).toBe(true);
  for (const { text } of edges.prices) expect(text).toBeCloseTo(edges.line, 0);
});

test("the way past the bars is out of sight until it has the focus, and leads to the content", async ({
  page,
  site,
}) => {
  await page.goto(site.url);
  const skip = page.getByRole("link", { name: "본문으로 바로가기" });
  await expect(skip).not.toBeInViewport();
  await page.keyboard.press("Tab");
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await skip.press("Enter");
  await expect(page).toHaveURL(/#content$/);
  await expect(skip).not.toBeInViewport();
});

test("where the system takes the colours of surfaces away, what can be pressed keeps an edge", async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(site.url);
  const bar = page.locator(".bottom-bar");
  const filled = [page.getByRole("link", { name: "연수 신청하기" }).first(), bar];
  for (const part of [...filled, ...(await bar.getByRole("link").all())])
    await expect(part).toHaveCSS("border-top-width", "1px");
});

test("an unknown path is a designed 404 with ways back, its sign on the footer", async ({
  page,
  site,
  quiet,
}) => {
  quiet(/404/);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto(site.url + LOST);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { level: 1 })).toContainText("없는 길입니다");
  await expect(main.getByRole("link", { name: /홈/ })).toHaveAttribute("href", "/");
  const [content, footer] = [await main.boundingBox(), await page.locator("footer").boundingBox()];
  expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeGreaterThanOrEqual(1079);
  expect((content?.y ?? 0) + (content?.height ?? 0)).toBeCloseTo(footer?.y ?? 0, 0);
  await page.setViewportSize({ width: 320, height: 640 });
  const number = await main.getByText(/^010-0000-0000$/).boundingBox();
  expect(number?.height, "a number never breaks").toBeLessThan(30);
});

test("the menu closes on a link, on Esc, on widening and where it would cover what has the focus", async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/contact`);
  const button = page.locator(MENU);
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

  await button.click();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(button).toBeFocused();

  await button.click();
  await menu.getByRole("link", { name: /연수 비용/ }).click();
  await expect(page).toHaveURL(`${site.url}/pricing`);

  await page.getByRole("button", { name: "메뉴 열기" }).click();
  await expect(menu).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(menu).toBeHidden();
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
  await expect(tab).toHaveURL(/\/contact\?car=own#form$/);
  await expect(page).toHaveURL(`${site.url}/`);
});

test("at a desk the number can be copied, or selected where the browser forbids that", async ({
  browser,
  site,
}) => {
  for (const [path, count] of [
    ["/", 2],
    ["/gallery", 1],
    ["/pricing", 1],
  ] as const) {
    await using desk = await browser.newContext({
      isMobile: false,
      hasTouch: false,
      viewport: { width: 1280, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await desk.newPage();
    await page.goto(site.url + path);
    const copy = page.getByRole("button", { name: copyNumber.copy });
    await expect(copy).toHaveCount(count);
    await comeToLife(page);
    await copy.first().click();
    const copied = page.getByRole("button", { name: copyNumber.copied });
    await expect(copied).toBeVisible();
    const shown = await page.locator(NUMBER).textContent();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
    // As over plain http: the number is shown and selected, for copying by hand.
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await copied.first().click();
    await expect(page.getByText(copyNumber.byHand)).toBeVisible();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(shown);
    if (path === "/pricing") await expectAccessible(page);
  }
});

test("in a low window the bars give way, and in a high one they hide nothing that has the focus", async ({
  page,
  site,
}) => {
  for (const path of ["/", "/contact"]) {
    await page.setViewportSize({ width: 844, height: 200 });
    await page.goto(site.url + path);
    await page.mouse.wheel(0, 1_000);
    await expect(page.getByRole("banner")).not.toBeInViewport();
    await page.setViewportSize({ width: 320, height: 256 });
    await expect(page.locator(".bottom-bar")).not.toBeInViewport();

    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(site.url + path);
    const stops = await page.locator("a, button, input, select, textarea").count();
    const hidden: string[] = [];
    for (let stop = 0; stop < stops; stop += 1) {
      await page.keyboard.press("Tab");
      const covered = await page.evaluate(() => {
        const focused = document.activeElement;
        const bar = document.querySelector(".bottom-bar");
        if (!focused || focused === document.body || bar?.contains(focused)) return undefined;
        const isBarThere = bar?.checkVisibility({ visibilityProperty: true });
        const { bottom } = focused.getBoundingClientRect();
        const room = isBarThere ? (bar?.getBoundingClientRect().top ?? 0) : innerHeight;
        return bottom > room + 1 ? focused.outerHTML.slice(0, 80) : undefined;
      });
      if (covered) hidden.push(covered);
    }
    expect(hidden, path).toEqual([]);
  }
});
