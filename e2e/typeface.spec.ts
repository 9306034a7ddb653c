import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { pagePaths } from "#lib/content/pages.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { fillForm, openContact, shownReceipt } from "#testing/browser/form.ts";
import { expect, test } from "#testing/browser/test.ts";
import { UNKNOWN_PATH } from "#testing/site/pages.ts";
import { Site } from "#testing/site/site.ts";

/** Every Korean word of .env.example, among them the examples of what an owner may write. */
const WORDS = readFileSync(".env.example", "utf8").match(/[가-힣]+/g) ?? [];

const SETTINGS = {
  BUSINESS_OWNER: "김하늘",
  BUSINESS_ADDRESS: "경기도 여주시 흥천면 귀백리",
  INSTRUCTOR_NAME: "김하늘 강사",
  INSTRUCTOR_WORDS: WORDS.join(" "),
  CALLBACK_PROMISE: "보통 두 시간 안에 전화드립니다.",
  PRIVACY_HOST_PROCESSOR: "넓은뜰 호스팅",
};

/** The fonts in which the browser draws the page's texts, each with the HTML of one element in that font. */
async function listTypefaces(page: Page): Promise<Map<string, string>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("DOM.enable");
  await devtools.send("CSS.enable");
  await devtools.send("DOM.getDocument", { depth: -1 });
  const used = new Map<string, string>();
  const search = { query: "//body//*[text()[normalize-space()]]" };
  const { searchId, resultCount } = await devtools.send("DOM.performSearch", search);
  const range = { searchId, fromIndex: 0, toIndex: resultCount };
  const { nodeIds } = await devtools.send("DOM.getSearchResults", range);
  for (const nodeId of nodeIds) {
    const { fonts } = await devtools.send("CSS.getPlatformFontsForNode", { nodeId });
    for (const { familyName, isCustomFont } of fonts) {
      const { outerHTML } = await devtools.send("DOM.getOuterHTML", { nodeId });
      used.set(`${familyName}${isCustomFont ? "" : " of the device"}`, outerHTML);
    }
  }
  await devtools.detach();
  return used;
}

const expectOneTypeface = (page: Page) =>
  eventually(async () => {
    await page.evaluate(() => document.fonts.ready);
    return [...(await listTypefaces(page))];
  }).toEqual([[expect.not.stringContaining(" of the device"), expect.any(String)]]);

test("every text of the pages and settings has the site's typeface", async ({ page, quiet }) => {
  quiet(/404/);
  await using site = await Site.start(SETTINGS);
  for (const path of [...pagePaths, UNKNOWN_PATH]) {
    await page.goto(site.url + path);
    await expectOneTypeface(page);
  }
  await page.close();
});

test("a summary with rare syllables has the site's typeface", async ({ page, site }) => {
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "김하늘", message: "꽃샘추위 늦잠 뜀틀 햅쌀 괜찮" });
  await form.locator("[type=submit]").press("Enter");
  await expect(shownReceipt(form)).toBeFocused();
  await shownReceipt(form).hover();
  await expectOneTypeface(page);
});
