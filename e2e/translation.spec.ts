/** A browser that translates a page replaces text nodes that React would change later. */
import type { Page } from "@playwright/test";
import { failurePageTexts } from "#lib/content/error-pages.ts";
import { galleryPage, galleryScenes } from "#lib/content/gallery-page.ts";
import { siteLayoutTexts } from "#lib/content/layout.ts";
import { copyPhoneLabels } from "#lib/content/links.ts";
import { pages } from "#lib/content/pages.ts";
import { autofillForm, openDialog, SAMPLE_VALUES, shownReceipt } from "#testing/browser/form.ts";
import { expect, test } from "#testing/browser/test.ts";
import { waitForHydration } from "#testing/browser/wait-for-hydration.ts";

const { menu } = siteLayoutTexts;
const TRANSLATION_MARK = "≈";

/**
 * Translates the page and its later text as Chrome, Edge and Samsung Internet do: a `<font>` with a new text node
 * replaces each text node outside fields, scripts and styles.
 */
async function translate(page: Page): Promise<void> {
  await page.evaluate((mark) => {
    const translateIn = (root: Node) => {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: Node[] = root instanceof Text ? [root] : [];
      while (texts.nextNode()) found.push(texts.currentNode);
      for (const text of found) {
        const parent = text.parentElement;
        if (!text.nodeValue?.trim() || !parent || parent.closest("font, script, style, textarea"))
          continue;
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        inner.textContent = mark + text.nodeValue;
        outer.append(inner);
        parent.replaceChild(outer, text);
      }
    };
    translateIn(document.body);
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes)
        for (const node of addedNodes.length > 0 ? addedNodes : [target]) translateIn(node);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  }, TRANSLATION_MARK);
}

async function expectTranslated(page: Page): Promise<void> {
  await expect(page.locator("main")).toContainText(TRANSLATION_MARK);
  await expect(page.locator("main")).not.toContainText(failurePageTexts.again);
}

test("a page works after the browser has translated it [87]", async ({ browser, site }) => {
  await using desk = await browser.newContext({ viewport: { width: 900, height: 900 } });
  const page = await desk.newPage();
  await page.goto(site.url);
  await waitForHydration(page);
  await translate(page);
  const opener = page.locator("[popovertarget]");
  await opener.click();
  await expect(opener).toHaveText(new RegExp(menu.close));
  await page.keyboard.press("Escape");
  // Stops the clock, because a button shows for only 3 s that it has copied.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  for (const button of await page.getByRole("button", { name: copyPhoneLabels.copy }).all()) {
    await button.click();
    await expect(page.getByText(copyPhoneLabels.copied).first()).toBeVisible();
    await page.evaluate(() =>
      Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }),
    );
    await page.getByRole("button", { name: copyPhoneLabels.copied }).click();
    await expect(page.getByText(copyPhoneLabels.byHand).last()).toBeVisible();
    await page.evaluate(() => Reflect.deleteProperty(navigator, "clipboard"));
  }
  await expectTranslated(page);
});

test("the lightbox works after the browser has translated it [87]", async ({ page, site }) => {
  await page.goto(site.url + pages.gallery.path);
  await waitForHydration(page);
  await translate(page);
  await page.locator("main a[aria-haspopup=dialog]").first().click();
  const lightbox = page.getByRole("dialog");
  for (const number of [2, 3]) {
    await lightbox.getByRole("button", { name: galleryPage.lightbox.next.label }).click();
    await expect(lightbox).toContainText(`${number} / ${galleryScenes.length}`);
  }
  await lightbox.getByRole("button", { name: galleryPage.lightbox.close }).click();
  await expect(lightbox).toBeHidden();
  await expectTranslated(page);
});

test("the dialog's form works after the browser has translated it [87]", async ({ page, site }) => {
  const dialog = await openDialog(page, site.url);
  await translate(page);
  const age = dialog.locator("[name=age]");
  await age.fill("85");
  await dialog.locator("[type=submit]").click();
  await expect(age).toHaveAttribute("aria-invalid", "true");
  // All fields change before React renders again.
  await autofillForm(dialog.locator("form"), SAMPLE_VALUES);
  await expect(age).toHaveAttribute("aria-invalid", "false");
  await dialog.locator("[type=submit]").click();
  await expect(shownReceipt(page)).toBeVisible();
});
