import type { Locator } from "@playwright/test";
import { expect, test } from "#testing/browser/test.ts";

/** Window sizes and safe areas in px, of a phone with a notch in portrait and in landscape. */
const PORTRAIT = { width: 390, height: 844, left: 0, right: 0, bottom: 34 };
const LANDSCAPE = { width: 844, height: 390, left: 47, right: 47, bottom: 21 };
type Phone = typeof PORTRAIT;

async function expectClearOfEdges(
  place: Locator,
  { width, height, left, right, bottom }: Phone,
  selector = "a, button, input, select, textarea",
) {
  await expect(async () => {
    const boxes = await place.locator(selector).evaluateAll((elements) =>
      elements
        .filter((element) => element.checkVisibility())
        .map((element) => ({
          name: element.outerHTML.slice(0, 80),
          ...element.getBoundingClientRect().toJSON(),
        })),
    );
    expect(boxes.length).toBeGreaterThan(0);
    const covered = boxes.filter(
      (box) =>
        box.top < height &&
        box.bottom > 0 &&
        (box.left < left || box.right > width - right || box.bottom > height - bottom),
    );
    expect(covered).toEqual([]);
  }).toPass();
}

for (const phone of [PORTRAIT, LANDSCAPE]) {
  test(`bars and overlays avoid a notch at a width of ${phone.width}`, async ({ page, site }) => {
    const { width, height, left, right, bottom } = phone;
    const browser = await page.context().newCDPSession(page);
    await browser.send("Emulation.setSafeAreaInsetsOverride", { insets: { left, right, bottom } });
    await page.setViewportSize({ width, height });
    await page.goto(site.url);
    await expect(page.locator("meta[name=viewport]")).toHaveAttribute(
      "content",
      /viewport-fit=cover/,
    );
    // Only the links are checked: the padding of the menu's button may reach into the safe area.
    await expectClearOfEdges(page.locator("header"), phone, "a");
    // Content that scrolls needs no distance from the lower edge.
    const scrolled = { ...phone, bottom: Number.NEGATIVE_INFINITY };
    await expectClearOfEdges(page.locator("main"), scrolled);
    if (phone === PORTRAIT) await expectClearOfEdges(page.locator(".bottom-bar"), phone);
    await page.locator("header button[popovertarget]").click();
    const menu = page.locator("#site-menu");
    await expectClearOfEdges(menu, phone === PORTRAIT ? phone : scrolled, ":scope > div, a");
    await page.keyboard.press("Escape");

    const opener = page.locator("main a[aria-haspopup=dialog]").first();
    const dialog = page.locator("dialog[open]");
    await opener.click();
    await expectClearOfEdges(dialog.locator("[type=submit]").locator(".."), phone);
    await page.goto(`${site.url}/gallery`);
    await opener.click();
    await expectClearOfEdges(dialog, phone);
  });
}
