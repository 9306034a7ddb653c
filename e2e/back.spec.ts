/** Back is instant: Chromium keeps each page as it was left. In Firefox and WebKit: e2e/engines/pages.spec.ts. */
import { WITH_WINDOWS } from "#build/chromium.ts";
import { pagePaths } from "#lib/content/pages.ts";
import { eventually } from "#testing/eventually.ts";
import { test } from "#testing/test.ts";

// Playwright switches it off; Chromium without windows has none.
test.use({
  launchOptions: { ...WITH_WINDOWS, ignoreDefaultArgs: ["--disable-back-forward-cache"] },
  serviceWorkers: "allow",
});

for (const path of pagePaths) {
  test(`Back restores ${path} as it was left, and nothing forbids it`, async ({ page, site }) => {
    await page.goto(site.url + path);
    await page.evaluate(() =>
      addEventListener("pageshow", ({ persisted }) => Object.assign(globalThis, { persisted })),
    );
    const elsewhere = pagePaths.find((each) => each !== path);
    await page.evaluate((href) => location.assign(href), site.url + elsewhere);
    await page.waitForURL(site.url + elsewhere);
    await page.goBack({ waitUntil: "commit" });
    const told = () =>
      page.evaluate(() => {
        const [entry] = performance.getEntriesByType("navigation");
        const reasons: unknown = entry && Reflect.get(entry, "notRestoredReasons");
        return { persisted: Reflect.get(globalThis, "persisted"), reasons: reasons ?? null };
      });
    // A page that is being left cannot be asked.
    await eventually(() => told().catch(String)).toEqual({ persisted: true, reasons: null });
  });
}
