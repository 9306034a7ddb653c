import { pagePaths } from "#lib/content/pages.ts";
import { FULL_BROWSER_OPTIONS } from "#testing/browser/chromium.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { expect, test } from "#testing/browser/test.ts";
import { waitForIdleScripts } from "#testing/browser/wait-for-hydration.ts";
import { UNKNOWN_PATH } from "#testing/site/pages.ts";

// Playwright disables the back-forward cache, and Chromium's old headless mode has no such cache.
test.use({
  launchOptions: { ...FULL_BROWSER_OPTIONS, ignoreDefaultArgs: ["--disable-back-forward-cache"] },
  serviceWorkers: "allow",
});

test("Back restores each page from the back-forward cache", async ({ page, site, quiet }) => {
  quiet(/404/);
  for (const path of pagePaths) {
    await expect(async () => {
      await page.goto(site.url + path);
      await waitForIdleScripts(page);
      await page.evaluate(() =>
        addEventListener("pageshow", ({ persisted }) => Object.assign(globalThis, { persisted })),
      );
      await page.evaluate((href) => location.assign(href), site.url + UNKNOWN_PATH);
      await page.waitForURL(site.url + UNKNOWN_PATH);
      await page.goBack({ waitUntil: "commit" });
      const readRestoration = () =>
        page.evaluate(() => {
          const [entry] = performance.getEntriesByType("navigation");
          const reasons: unknown = entry && Reflect.get(entry, "notRestoredReasons");
          const persisted: unknown = Reflect.get(globalThis, "persisted");
          return { path: location.pathname, persisted, reasons: reasons ?? null };
        });
      const restored = { path, persisted: true, reasons: null };
      // `evaluate` throws while the browser changes to another page.
      await eventually(() => readRestoration().catch(String), { timeout: 10_000 }).toEqual(
        restored,
      );
    }).toPass();
  }
});
