/** What a visitor sees without doing anything, and what the pages do under the hand. */
import { koreanDay, saturdayToCome } from "#lib/application/seoul-time.ts";
import { copyNumber } from "#lib/content/copy-number.ts";
import { gallery } from "#lib/content/gallery.ts";
import { questionsWith } from "#lib/content/questions.ts";
import { comeToLife } from "#testing/come-to-life.ts";
import { expect, expectAccessible, test } from "#testing/test.ts";

test("price and region stand in the first screen of a phone", async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(site.url);
  const bar = await page.getByRole("navigation", { name: "바로 문의하기" }).boundingBox();
  for (const fact of [".hero-facts", "h1 + p"]) {
    const box = await page.locator(fact).boundingBox();
    expect(box, fact).not.toBeNull();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
  }
  // In a narrower one each price has a line, and no dot between them is left over.
  await page.setViewportSize({ width: 320, height: 640 });
  const edges = await page.locator(".hero-facts strong").evaluate((line) => ({
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

test("where the system takes the colours of surfaces away, what can be pressed keeps an edge", async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(site.url);
  const bar = page.getByRole("navigation", { name: "바로 문의하기" });
  const filled = [page.getByRole("link", { name: "연수 신청하기" }).first(), bar];
  for (const part of [...filled, ...(await bar.getByRole("link").all())]) {
    await expect(part).toHaveCSS("border-top-width", "1px");
  }
});

test("the top bar shows the number as text from 360 px, in one line with the name", async ({
  page,
  site,
}) => {
  for (const width of [360, 375, 390, 419, 420, 768]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(site.url);
    const number = await page.locator(".top-number").boundingBox();
    expect(number?.width, `at ${width} px`).toBeGreaterThan(90);
    const name = await page.locator(".top-brand .brand-name").boundingBox();
    expect(name?.height, `at ${width} px`).toBeLessThan(30);
  }
});

test("the example on the home page names a Saturday to come", async ({ page, site }) => {
  await page.goto(site.url);
  const day = koreanDay(saturdayToCome(Date.now()));
  await expect(page.locator(".text-bubble").filter({ hasText: day })).toHaveCount(1);
});

test("/pricing answers the questions in its HTML, and asks none that only the owner could answer", async ({
  page,
  site,
}) => {
  const html = await (await page.request.get(`${site.url}/pricing`)).text();
  for (const { question } of questionsWith({})) expect(html).toContain(question);
  expect(html).not.toContain("보험");
});

test("at a desk the number can be copied, on a phone it is called", async ({ browser, site }) => {
  for (const [path, count] of [
    ["/", 2],
    ["/gallery", 1],
    ["/pricing", 1],
  ] as const) {
    const desk = await browser.newContext({
      isMobile: false,
      hasTouch: false,
      viewport: { width: 1280, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await desk.newPage();
    await page.goto(site.url + path);
    const copy = page.getByRole("button", { name: "번호 복사" });
    await expect(copy).toHaveCount(count);
    await comeToLife(page);
    await copy.first().click();
    await expect(page.getByRole("button", { name: "복사했습니다" })).toBeVisible();
    const shown = await page.locator(".top-number").textContent();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
    // As over plain http: the number is shown and selected, for copying by hand.
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await page.getByRole("button", { name: "복사했습니다" }).first().click();
    await expect(page.getByText(copyNumber.byHand)).toBeVisible();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(shown);
    if (path === "/pricing") await expectAccessible(page);
    await desk.close();
  }
});

test("the page that is not there fills a wide window, its sign on the footer", async ({
  page,
  site,
  quiet,
}) => {
  quiet(/404/);
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto(`${site.url}/no-such-road`);
  const footer = await page.locator("footer").boundingBox();
  const main = await page.locator("main").boundingBox();
  expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeGreaterThanOrEqual(1079);
  expect((main?.y ?? 0) + (main?.height ?? 0)).toBeCloseTo(footer?.y ?? 0, 0);
});

test("nothing moves sideways when the lightbox opens, and Back closes it on the same page", async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/gallery`);
  const gutter = await page.evaluate(
    () => getComputedStyle(document.documentElement).scrollbarGutter,
  );
  expect(gutter).toBe("stable");
  const card = page.getByRole("link", { name: gallery[1]?.title ?? "" });
  await card.click();
  const lightbox = page.getByRole("dialog");
  await expect(lightbox).toBeVisible();
  await page.goBack();
  await expect(lightbox).toBeHidden();
  await expect(page).toHaveURL(`${site.url}/gallery`);
  await expect(card).toBeFocused();

  await card.click();
  await page.keyboard.press("Escape");
  await expect(lightbox).toBeHidden();
  await card.click();
  await expect(lightbox).toContainText(`2 / ${gallery.length}`);
});

test("at a zoom of 400 % the lightbox's buttons are in view", async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto(`${site.url}/gallery`);
  await page.getByRole("link", { name: gallery[0]?.title ?? "" }).click();
  for (const name of ["이전", "다음"]) {
    await expect(page.getByRole("dialog").getByRole("button", { name })).toBeInViewport({
      ratio: 1,
    });
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
    await expect(page.locator(".top-bar")).not.toBeInViewport();
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
