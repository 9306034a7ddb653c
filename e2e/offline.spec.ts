import { pagePaths } from "#lib/content/pages.ts";
import { loadedWhenIdle } from "#testing/come-to-life.ts";
import { keptAddresses, keptOf, workerIsReady } from "#testing/device.ts";
import { eventually } from "#testing/eventually.ts";
import { fillForm, openContact, SUMMARY, VALUES } from "#testing/form.ts";
import { sentUnder } from "#testing/site-with-peers.ts";
import { expect, expectAccessible, test } from "#testing/test.ts";
import { isMailedOnce, WAITS } from "#testing/unsent-application.ts";

const PHONE = "010-0000-0000";
/** Of the application: none of it may stay on a device that no longer waits to send it. */
const PERSONAL = [VALUES.phone, "주차가 가장 어려워요."];

test.use({ serviceWorkers: "allow" });
test.beforeEach(({ quiet }) => quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED/));

test("the service worker is looked for anew at every visit", async ({ site }) => {
  const answer = await fetch(`${site.url}/sw.js`);
  expect(answer.headers.get("content-type")).toMatch(/javascript/);
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  // Its policy is what it may fetch: the pages and their files, to keep them.
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'self'");
});

test("after one visit every page reads without a network, and the form keeps what is sent once it is back", async ({
  page,
  site,
  smtp,
}) => {
  await page.goto(site.url);
  await workerIsReady(page);
  await page.context().setOffline(true);
  for (const path of pagePaths) {
    await page.goto(`${site.url}${path}?utm_source=naver`);
    await expect(page.locator("h1")).toBeVisible();
    const phone = page.getByRole("link", { name: PHONE }).first();
    await expect(phone).toHaveAttribute("href", "tel:01000000000");
    const styled = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
    expect(styled).toMatch(/^\S*ofPages/);
  }
  await page.locator('#footer-navigation a[href^="/contact"]').click();
  const form = page.locator("main");
  await fillForm(form, { name: "터널여주" });
  await form.locator("[type=submit]").click();
  await expect(form.getByRole("heading", { name: /보관했습니다/ })).toBeVisible();
  await page.context().setOffline(false);
  await isMailedOnce(smtp, "터널여주");
  // What is kept then is the pages, and nothing of the application.
  await eventually(() => keptOf(page, [...PERSONAL, "터널여주", PHONE])).toEqual([PHONE]);
  const addresses = await keptAddresses(page);
  expect(addresses).toEqual(expect.arrayContaining(pagePaths));
  expect(addresses.filter((path) => /api|result|image/.test(path))).toEqual([]);
  expect(await sentUnder(site, "터널여주")).toBe(1);
});

test("an application that could not be sent for seven days is deleted, and the visitor is told", async ({
  page,
  site,
}) => {
  const form = await openContact(page, site.url);
  await workerIsReady(page);
  await fillForm(form, { name: "기한여주" });
  await loadedWhenIdle(page);
  await page.context().setOffline(true);
  await form.locator("[type=submit]").click();
  await expect(form.getByRole("heading", { name: /보관했습니다/ })).toBeVisible();
  expect(await keptOf(page, ["기한여주"])).toHaveLength(1);
  // Away for a week: no single step of the clock is the whole time. A day later it is over.
  for (const days of [7, 1]) {
    await page.addInitScript((later) => {
      const now = Date.now;
      Date.now = () => now() + later;
    }, days * 86_400_000);
    await page.goto(`${site.url}/pricing`);
    if (days === 7) await expect(page.getByText(WAITS)).toBeVisible();
  }
  const notice = page.getByRole("status").filter({ hasText: "보관 기간(7일)이 지나" });
  await expect(notice).toBeVisible();
  await expectAccessible(page);
  expect(await keptOf(page, [...PERSONAL, "기한여주", SUMMARY])).toEqual([]);
});
