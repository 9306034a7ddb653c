import { pagePaths } from "#lib/content/pages.ts";
import { findOnDevice, readCaches, waitForServiceWorker } from "#testing/browser/device-storage.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { PERSONAL_DATA } from "#testing/browser/form.ts";
import { expectMailedOnce, submitIntoOutbox } from "#testing/browser/kept-application.ts";
import { expect, test } from "#testing/browser/test.ts";
import { CACHED_PAGE_CSP_PATTERN, CSP_HEADER } from "#testing/site/pages.ts";
import { countAfterSending } from "#testing/site/site-with-peers.ts";

const PHONE = "010-0000-0000";

test.use({ serviceWorkers: "allow" });
test.beforeEach(({ quiet }) => quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED/));

test("every page can be used offline after one visit", async ({ page, site }) => {
  await page.goto(site.url);
  await waitForServiceWorker(page);
  await page.context().setOffline(true);
  for (const path of pagePaths) {
    const answer = await page.goto(`${site.url}${path}?utm_source=naver`);
    expect(answer?.fromServiceWorker(), path).toBe(true);
    expect(answer?.headers()[CSP_HEADER]).toMatch(CACHED_PAGE_CSP_PATTERN);
    await expect(page.locator("h1")).toBeVisible();
    const phone = page.getByRole("link", { name: PHONE }).first();
    await expect(phone).toHaveAttribute("href", "tel:01000000000");
    const styled = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
    expect(styled).toMatch(/^"?Site pages/);
  }
});

test("no cache contains an application that was sent from a cached page", async ({
  page,
  site,
  smtp,
}) => {
  await page.goto(site.url);
  await waitForServiceWorker(page);
  await page.context().setOffline(true);
  await page.goto(site.url);
  await page.locator('#footer-navigation a[href^="/contact"]').click();
  const form = page.locator("main");
  await submitIntoOutbox(form, "터널여주");
  await page.context().setOffline(false);
  await expectMailedOnce(smtp, "터널여주");
  // Cached pages contain the business's phone number. No cache contains anything of the application.
  await eventually(() => findOnDevice(page, [...PERSONAL_DATA, "터널여주", PHONE])).toEqual([
    PHONE,
  ]);
  const addresses = Object.keys(await readCaches(page));
  expect(addresses).toEqual(expect.arrayContaining(pagePaths.map((path) => site.url + path)));
  expect(addresses.filter((address) => /api|result|image/.test(address))).toEqual([]);
  expect(await countAfterSending(site, "터널여주")).toBe(1);
});
