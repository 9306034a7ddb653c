import type { Page } from "@playwright/test";
import { seoulYear } from "#lib/application/seoul-time.ts";
import { smsHref } from "#lib/content/links.ts";
import { pagePaths, pages } from "#lib/content/pages.ts";
import { regions } from "#lib/content/regions.ts";
import { blankTextApplication, composeTextTemplate } from "#lib/content/text-application.ts";
import { settingsSchema } from "#lib/environment.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { expect, expectAccessible, test } from "#testing/browser/test.ts";
import { findTextOverflow } from "#testing/browser/text-overflow.ts";
import { waitForIdleScripts } from "#testing/browser/wait-for-hydration.ts";
import {
  CACHED_PAGE_CSP_PATTERN,
  CSP_HEADER,
  renderTimes,
  UNKNOWN_PATH,
} from "#testing/site/pages.ts";
import { Site } from "#testing/site/site.ts";

const WIDTHS = [320, 360, 390, 768, 1024, 1440];
/** Widths at which a button opens the menu. */
const MENU_WIDTHS = WIDTHS.filter((width) => width < 1024);
/** axe is slow, so it runs at the width of a phone and of a desktop only. */
const AXE_WIDTHS = [390, 1440];
const MENU_BUTTON = "[popovertarget]";
const OVERLAY_OPENER = "main a[aria-haspopup=dialog]";
const TOP_NUMBER = ".top-number";

const requestedFonts = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .flatMap(({ name }) => /font-([a-z]+)/.exec(name)?.[1] ?? [])
      .sort(),
  );

const BLANK_TEXT_HREF = smsHref("01000000000", blankTextApplication);
/** The text message that the sign of a region opens if the form does not offer the region. */
function hrefOfSign(says: string): string {
  const region = regions.find(({ name, isPhoneOnly }) => isPhoneOnly && says.includes(name))?.name;
  return smsHref("01000000000", region && composeTextTemplate({ region }));
}

/** Checks the addresses of all links that open a text message, and of those to /contact with 신청 in their text. */
async function expectLinksToApply(page: Page): Promise<void> {
  const links = await page.$$eval('a[href*="/contact"], a[href^="sms:"]', (all) =>
    all.map((link) => ({ says: link.textContent ?? "", href: link.getAttribute("href") ?? "" })),
  );
  const texts = links.filter(({ href }) => href.startsWith("sms:"));
  const forms = links.filter(({ says, href }) => says.includes("신청") && !href.startsWith("sms:"));
  expect(Math.min(texts.length, forms.length)).toBeGreaterThan(0);
  for (const { href } of forms)
    expect(href).toMatch(/^\/contact(\?(car|region|wish)=[^#]+)?#form$/);
  for (const { says, href } of texts)
    expect(href, says).toBe(says.includes("문자로 신청하기") ? BLANK_TEXT_HREF : hrefOfSign(says));
}

async function injectScript(page: Page, address: string): Promise<void> {
  await page.route(address, async (route) => {
    const response = await route.fetch();
    const script = "<script>document.documentElement.dataset.injected = 'yes'</script></head>";
    await route.fulfill({ response, body: (await response.text()).replace("</head>", script) });
  });
}

/** Selectors of the controls that open the overlays which the test checks, by page. */
const OPENERS_OF_PAGES: Record<string, Record<string, string>> = {
  [pages.home.path]: { "the menu": MENU_BUTTON, "the dialog": OVERLAY_OPENER },
  [pages.gallery.path]: { "the lightbox": OVERLAY_OPENER },
};

async function expectWithinWidth(page: Page, where: string): Promise<void> {
  const overflow = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(overflow, `sideways scroll of ${where}`).toBe(0);
  expect(await page.evaluate(findTextOverflow), where).toEqual([]);
}

async function expectAccessibleWithinWidth(
  page: Page,
  what: string,
  widths = WIDTHS,
): Promise<void> {
  for (const width of widths) {
    const where = `${what} at ${width} px`;
    await page.setViewportSize({ width, height: 900 });
    await expectWithinWidth(page, where);
    if (AXE_WIDTHS.includes(width)) await expectAccessible(page);
    const number = await page.locator(TOP_NUMBER).boundingBox();
    expect(number?.width, `the number on ${where}`).toBeGreaterThan(90);
    const brand = await page.locator("header a[href='/'] span span").boundingBox();
    expect(brand?.height, `the name in one line on ${where}`).toBeLessThan(30);
  }
  const setTextSize = (size: string) =>
    page.evaluate((each) => document.documentElement.style.setProperty("font-size", each), size);
  await setTextSize("200%");
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expectWithinWidth(page, `${what} at ${width} px, text of 200%`);
  }
  await setTextSize("");
}

for (const path of [...pagePaths, UNKNOWN_PATH]) {
  test(`${path} is accessible under its content security policy`, async ({ page, site, quiet }) => {
    quiet(path === UNKNOWN_PATH ? /404|Content Security Policy/ : /Content Security Policy/);
    const refusals: string[] = [];
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) refusals.push(message.text());
    });
    const elsewhere: string[] = [];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.origin !== site.url && url.protocol !== "data:") elsewhere.push(request.url());
    });
    await injectScript(page, site.url + path);
    const answer = await page.goto(site.url + path);
    await waitForIdleScripts(page);
    expect(answer?.headers()).toMatchObject({
      [CSP_HEADER]: expect.stringMatching(CACHED_PAGE_CSP_PATTERN),
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
    });
    await expectLinksToApply(page);
    expect(answer?.status()).toBe(path === UNKNOWN_PATH ? 404 : 200);
    const years = renderTimes().map(seoulYear).join("|");
    expect(await answer?.text()).toMatch(new RegExp(`<footer.*© (${years})`, "s"));
    const privacy = page.locator("footer").getByRole("link", { name: pages.privacy.name });
    await expect(privacy).toHaveCSS("font-weight", "700");
    await expect(page.locator("h1")).toHaveCount(1);
    await expectAccessibleWithinWidth(page, path);
    // The preloaded font files have all characters of every page except the 404 page.
    const fonts = path === pages.privacy.path ? ["pages", "privacy"] : ["pages"];
    const link = answer?.headers().link ?? "";
    expect([...link.matchAll(/font-([a-z]+)/g)].map(([, name]) => name).sort()).toEqual(fonts);
    const needed = path === UNKNOWN_PATH ? ["later", ...fonts] : fonts;
    await eventually(() => requestedFonts(page)).toEqual(needed);
    for (const [what, opener] of Object.entries(OPENERS_OF_PAGES[path] ?? {})) {
      await page.locator(opener).first().click();
      await expectAccessibleWithinWidth(page, what, opener === MENU_BUTTON ? MENU_WIDTHS : WIDTHS);
      await page.keyboard.press("Escape");
    }
    expect(elsewhere).toEqual([]);
    // The policy blocks only the injected script.
    expect(refusals).toHaveLength(1);
    await expect(page.locator("html")).not.toHaveAttribute("data-injected");
  });
}

test("typing a character that no page shows loads the second font file", async ({ page, site }) => {
  await page.goto(`${site.url}/contact`);
  await page.locator("textarea").fill("Q~");
  await eventually(() => requestedFonts(page)).toEqual(["later", "pages"]);
});

/** Settings with texts of the owner, except those about the instructor. Each text ends in a very long word. */
const LONG_FACTS = Object.fromEntries(
  Object.keys(settingsSchema.shape)
    .filter((name) =>
      /^(BUSINESS_(?!EMAIL|LINKS)|ACADEMY_|FACT_|CALLBACK_|PRIVACY_\w+_)/.test(name),
    )
    .map((name) => [
      name,
      `처음부터 끝까지 함께하며 천천히 알려 드립니다 ${"a-very-long-word/".repeat(6)}`,
    ]),
);

test("long texts of the owner's settings wrap within the page's width", async ({ page }) => {
  await using site = await Site.start(LONG_FACTS);
  for (const path of pagePaths) {
    await page.goto(site.url + path);
    for (const width of [320, 768, 1_024]) {
      await page.setViewportSize({ width, height: 800 });
      await expectWithinWidth(page, `${path} at ${width} px`);
    }
  }
  await page.close();
});
