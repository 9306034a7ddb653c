import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { seoulYear } from "#lib/application/seoul-time.ts";
import { workerIsReady } from "#testing/device.ts";
import { eventually } from "#testing/eventually.ts";
import {
  expectHydrated,
  expectNoViolation,
  LOST,
  PAGES,
  POLICY,
  violationsOf,
  watchViolations,
} from "#testing/policy-of-pages.ts";
import { Site } from "#testing/site.ts";
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

test("a page that was made anew comes to life under its new policy", async ({ page }) => {
  const shift = pathToFileURL(resolve("testing/next-year.mjs")).href;
  const folder = await mkdtemp(join(tmpdir(), "build-"));
  // A copy, because Next writes the new pages into the build.
  await cp(".next", join(folder, ".next"), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.startsWith(join(".next", "cache")),
  });
  for (const name of [
    "app",
    "lib",
    "next.config.ts",
    "node_modules",
    "package.json",
    "public",
    "server",
  ]) {
    await symlink(resolve(name), join(folder, name));
  }
  const site = await Site.start({ NODE_OPTIONS: `--import=${shift}`, NEXT_YEAR: "1" }, folder);
  try {
    const { LATER_MS } = await import("#testing/next-year.mjs");
    const year = `© ${seoulYear(Date.now() + LATER_MS)}`;
    await eventually(async () => (await fetch(site.url)).text()).toContain(year);
    await eventually(async () => (await fetch(site.url + LOST)).text()).toContain(year);
    await page.goto(site.url);
    await expect(page.locator("footer")).toContainText(year);
    await expectHydrated(page);
    await expectNoViolation(page);
  } finally {
    await page.close();
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
