import { workerIsReady } from "#testing/device.ts";
import { eventually } from "#testing/eventually.ts";
import {
  expectHydrated,
  expectNoViolation,
  PAGES,
  POLICY,
  violationsOf,
  watchViolations,
} from "#testing/policy-of-pages.ts";
import { expect, test } from "#testing/test.ts";

test.beforeEach(({ page }) => watchViolations(page));

test.describe("with the server gone", () => {
  test.use({ serviceWorkers: "allow" });

  test("a page from the service worker's cache has its policy, keeps it and comes to life", async ({
    page,
    site,
    quiet,
  }) => {
    quiet(/Failed to load resource|ERR_CONNECTION_REFUSED|Content Security Policy/);
    try {
      await page.goto(site.url);
      await workerIsReady(page);
      await site.end("SIGKILL");
      for (const path of PAGES) {
        const answer = await page.goto(site.url + path);
        expect(answer?.fromServiceWorker(), path).toBe(true);
        expect(answer?.headers()[POLICY]).toMatch(/script-src 'self'( 'sha256-[\w+/]{43}=')+;/);
        await expectHydrated(page);
        await expectNoViolation(page);
      }
      await page.evaluate(() => {
        const script = document.createElement("script");
        script.textContent = "document.documentElement.dataset.injected = 'yes'";
        document.head.append(script);
      });
      await eventually(() => violationsOf(page)?.join()).toContain("script-src");
      await expect(page.locator("html")).not.toHaveAttribute("data-injected");
    } finally {
      await site.startAgain();
    }
  });
});
