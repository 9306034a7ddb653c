import { receiptTexts } from "#lib/content/application-result.ts";
import { fillTabForm, openTabForm, readTabValues } from "#testing/browser/engines/application.ts";
import type { Tab } from "#testing/browser/engines/tab.ts";
import {
  DESKTOP_WINDOW,
  expect,
  LANDSCAPE_WINDOW,
  PHONE_WINDOW,
  SMALL_PHONE_WINDOW,
  test,
} from "#testing/browser/engines/test.ts";
import { TOAST } from "#testing/browser/form.ts";
import { expectMailedOnce, expectTextedOnce } from "#testing/browser/kept-application.ts";
import { extractApplicationNumber } from "#testing/site/application-numbers.ts";

async function visibleArea(tab: Tab): Promise<{ top: number; bottom: number }> {
  return tab.run(() => ({
    top: document.querySelector("header")?.getBoundingClientRect().bottom ?? 0,
    bottom: document.querySelector(".bottom-bar")?.getBoundingClientRect().top || innerHeight,
  }));
}

function readEmptyDateLook(tab: Tab) {
  return tab.run(() => {
    const shows = (css: string) =>
      document.querySelector(`main ${css}`)?.getClientRects().length === 1;
    const date = document.querySelector("main [type=date]");
    const digits = date !== null && getComputedStyle(date).color !== "rgba(0, 0, 0, 0)";
    return { icon: shows(".date-icon"), words: shows(".date-words"), digits };
  });
}

for (const size of [PHONE_WINDOW, DESKTOP_WINDOW, SMALL_PHONE_WINDOW, LANDSCAPE_WINDOW]) {
  test.describe(`a window of ${size.width}×${size.height}`, () => {
    test.beforeEach(({ tab }) => tab.resize(size));

    test("the contact form brings the receipt into view after a corrected submission", {
      tag: size === LANDSCAPE_WINDOW || size === SMALL_PHONE_WINDOW ? [] : "@full",
    }, async ({ tab, site, smtp, engineName }) => {
      const name = `창${size.width}여주`;
      await openTabForm(tab, site.url);
      // Firefox shows digits in an empty date field, where other engines show the site's icon and words.
      const hasOwnLook = engineName === "firefox";
      expect(await readEmptyDateLook(tab)).toEqual({
        icon: !hasOwnLook,
        words: !hasOwnLook,
        digits: hasOwnLook,
      });
      await tab.click("main [type=submit]");
      await tab.until(() => document.querySelectorAll("main input[aria-invalid=true]").length >= 3);
      await tab.until(() =>
        document.activeElement?.matches("form *, [role=alert], [role=alert] *"),
      );
      await fillTabForm(tab, "main", name);
      await tab.click("main [type=submit]");
      // The panel stays for 3 s only, so one function reads everything.
      const shown = await tab.until((title: string) => {
        const heading = document.activeElement;
        const number = document.querySelector("main dl dd");
        if (!heading?.textContent?.includes(title) || !number) return undefined;
        return {
          heading: heading.getBoundingClientRect().top,
          number: number.getBoundingClientRect().bottom,
          text: number.textContent,
        };
      }, receiptTexts.title);
      const { top, bottom } = await visibleArea(tab);
      expect(shown.heading).toBeGreaterThanOrEqual(top);
      expect(shown.number).toBeLessThanOrEqual(bottom);
      expect(extractApplicationNumber(shown.text)).toHaveLength(9);
      await tab.until(() => document.querySelector("main form") !== null);
      expect((await readTabValues(tab, "main")).name).toBe("");
      await expectMailedOnce(smtp, name);
    });

    test("the dialog keeps its title and buttons in view until the receipt", {
      tag: size === LANDSCAPE_WINDOW ? "@webkit" : "@full",
    }, async ({ tab, site, twilio }) => {
      const name = `폼${size.width}여주`;
      await tab.open(site.url);
      await tab.waitForHydration();
      await tab.click("main a[aria-haspopup=dialog]");
      await tab.boxOf("dialog[open]");
      await tab.waitForAnimations();
      const title = await tab.boxOf("dialog[open] h2");
      const dialog = await tab.boxOf("dialog[open]");
      expect(dialog.bottom - dialog.top).toBeGreaterThan(Math.min(700, size.height - 120));
      expect((await tab.boxOf("dialog[open] [type=submit]")).bottom).toBeLessThanOrEqual(
        size.height,
      );
      await tab.until(() => document.activeElement?.getAttribute("name") === "name");
      for (let stops = 0; stops < 20; stops++) await tab.pressKey("Tab");
      expect((await tab.boxOf("dialog[open] h2")).top).toBeCloseTo(title.top, 0);
      await fillTabForm(tab, "dialog", name);
      expect((await tab.boxOf("dialog[open] h2")).top).toBeCloseTo(title.top, 0);
      await tab.click("dialog [type=submit]");
      const toast = await tab.boxOf(...TOAST);
      expect(toast.bottom).toBeLessThanOrEqual(size.height);
      expect(await tab.run(() => document.querySelector("dialog[open]") !== null)).toBe(false);
      await expectTextedOnce(twilio, name);
    });
  });
}

test("a reload or Back restores every field of a draft", { tag: "@webkit" }, async ({
  tab,
  site,
}) => {
  await tab.resize(PHONE_WINDOW);
  await openTabForm(tab, site.url);
  await fillTabForm(tab, "main", "초안여주");
  const written = await readTabValues(tab, "main");
  expect(written).toMatchObject({ name: "초안여주", age: "34", carType: "own" });
  await tab.reload();
  await tab.until(() => document.querySelector("main form[data-ready]") !== null);
  await expect.poll(() => readTabValues(tab, "main")).toEqual(written);
  await tab.open(`${site.url}/pricing`);
  await tab.waitForHydration();
  await tab.back();
  await tab.until(() => document.querySelector("main form[data-ready]") !== null);
  await expect.poll(() => readTabValues(tab, "main")).toEqual(written);
});

test("the form replaces the panel of a received application after Back [61]", {
  tag: "@firefox",
}, async ({ tab, site, engineName }) => {
  test.skip(engineName === "chromium", "Playwright's Chromium has no back-forward cache");
  await tab.resize(PHONE_WINDOW);
  await expect(async () => {
    await openTabForm(tab, site.url);
    await fillTabForm(tab, "main", "돌아온여주");
    await tab.click("main [type=submit]");
    await tab.boxOf("main h2", receiptTexts.title);
    await tab.leaveAndReturn("/pricing", "main dl");
  }).toPass();
  await tab.until(() => document.querySelector("main form") !== null);
});
