import { openDialog } from "#testing/browser/form.ts";
import { expect, test } from "#testing/browser/test.ts";
import { waitForHydration } from "#testing/browser/wait-for-hydration.ts";

test("the skip link is visible only while focused", async ({ page, site }) => {
  await page.goto(site.url);
  const skip = page.getByRole("link", { name: "본문으로 바로가기" });
  await expect(skip).not.toBeInViewport();
  await page.keyboard.press("Tab");
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await skip.press("Enter");
  await expect(page).toHaveURL(/#content$/);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  await expect(skip).not.toBeInViewport();
  await skip.focus();
  await expect(skip).toBeInViewport({ ratio: 1 });
});

test("controls and cards have a border in forced colours", async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(site.url);
  const bar = page.locator(".bottom-bar");
  const filled = [page.getByRole("link", { name: "연수 신청하기" }).first(), bar];
  const cards = await page.locator(".feature").all();
  for (const part of [...filled, ...cards, ...(await bar.getByRole("link").all())])
    await expect(part).toHaveCSS("border-top-width", "1px");
  await expect(await openDialog(page, site.url)).toHaveCSS("border-top-width", "1px");
});

test("menus mark the current page in forced colours", async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(`${site.url}/pricing`);
  for (const link of [".menu-link .menu-name", ".top-link"])
    for (const name of ["연습 내용", "연수 비용"]) {
      const line = name === "연수 비용" ? "underline" : "none";
      const named = page.locator(link).filter({ hasText: name });
      await expect(named).toHaveCSS("text-decoration-line", line);
    }
});

test("a control moves down a pixel while it is pressed", async ({ page, site }) => {
  for (const [path, ...selectors] of [
    ["/", ".top-phone", "main .button", ".practice-chip", ".region-cell"],
    ["/gallery", "main li > a"],
  ] as const) {
    await page.goto(site.url + path);
    await page.evaluate(() => addEventListener("click", (event) => event.preventDefault(), true));
    for (const selector of selectors) {
      const control = page.locator(selector).first();
      await control.hover();
      await page.mouse.down();
      await expect(control, selector).toHaveCSS("translate", "0px 1px");
      await page.mouse.up();
    }
  }
});

test("the menu closes when Tab leaves it, on Escape, a link and a wider window", async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/contact`);
  const button = page.locator("[popovertarget]");
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

test("the open menu leaves its button free beside a long name and with large text [88]", async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${site.url}/pricing`);
  await waitForHydration(page);
  const button = page.locator("[popovertarget]");
  const menu = page.locator("#site-menu");
  const name = page.locator(".top-bar .brand-name");
  for (const enlarge of [
    () => name.evaluate((element) => element.append(" 안심 전문학원")),
    () => page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%")),
  ]) {
    await enlarge();
    await button.click();
    await expect(menu).toBeVisible();
    await button.click();
    await expect(menu).toBeHidden();
  }
});

test("the bars leave the content visible in low and high windows", async ({ page, site }) => {
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
