import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { keptOf } from "#testing/device.ts";
import { API, fillForm, openContact, VALUES } from "#testing/form.ts";
import { KillableBrowser } from "#testing/killable-browser.ts";
import { FaultyProxy } from "#testing/peers/faulty-proxy.ts";
import { sentUnder } from "#testing/site-with-peers.ts";
import { expect, test } from "#testing/test.ts";
import { isMailedOnce, mailsOf, SENT } from "#testing/unsent-application.ts";

test.beforeEach(({ quiet }) => quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED/));

/** The first application gets no answer. */
async function theFirstHangs(page: Page): Promise<void> {
  let hangs = true;
  await page.route(API, (route) => {
    if (!hangs) return route.continue();
    hangs = false;
    return new Promise(() => undefined);
  });
}

const ENDINGS: [what: string, end: (page: Page) => Promise<Page>][] = [
  [
    "crashes",
    async (page) => {
      const client = await page.context().newCDPSession(page);
      const crashed = page.waitForEvent("crash");
      client.send("Page.crash").catch(() => undefined);
      await crashed;
      return page.context().newPage();
    },
  ],
  [
    "is left",
    async (page) => {
      await page.goto(new URL("/robots.txt", page.url()).href);
      await page.unroute(API);
      return page;
    },
  ],
];

for (const [index, [what, end]] of ENDINGS.entries()) {
  test(`a tab that ${what} right after the press has lost nothing: the next visit sends it, once`, async ({
    page,
    site,
    smtp,
  }) => {
    await theFirstHangs(page);
    const name = `누른여주${index}`;
    const form = await openContact(page, site.url);
    await fillForm(form, { name });
    await form.locator("[type=submit]").click();
    const next = await end(page);
    await next.goto(`${site.url}/contact`);
    await expect(next.getByText(SENT)).toBeVisible();
    // It is no draft any more: nobody sends it a second time.
    await expect(next.getByLabel("이름")).toHaveValue("");
    await isMailedOnce(smtp, name);
    expect(await keptOf(next, [name, VALUES.phone])).toEqual([]);
    await next.reload();
    expect(await sentUnder(site, name)).toBe(1);
    expect(mailsOf(smtp, name)).toHaveLength(1);
  });
}

test("a browser that is killed right after the press sends it once it is started again", async ({
  site,
  smtp,
}) => {
  const proxy = new FaultyProxy(site.url);
  await proxy.start();
  const profile = await mkdtemp(join(tmpdir(), "killed-"));
  let browser = await KillableBrowser.launch(profile);
  try {
    const page = await browser.context.newPage();
    const form = await openContact(page, proxy.url);
    await fillForm(form, { name: "꺼진여주" });
    proxy.fault = "hang-before";
    await form.locator("[type=submit]").click();
    await browser.kill();
    proxy.heal();
    browser = await KillableBrowser.launch(profile);
    const next = await browser.context.newPage();
    await next.goto(`${proxy.url}/pricing`);
    await isMailedOnce(smtp, "꺼진여주");
  } finally {
    await browser.kill();
    await proxy.stop();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("a page that was never idle when its network went has all it needs to keep the application", async ({
  page,
  context,
  site,
  smtp,
}) => {
  // Nothing is loaded ahead.
  await page.addInitScript(() => {
    globalThis.requestIdleCallback = () => 0;
  });
  const form = await openContact(page, site.url);
  await context.setOffline(true);
  await fillForm(form, { name: "코드여주" });
  await form.locator("[type=submit]").click();
  await expect(form.getByRole("heading", { name: /보관했습니다/ })).toBeFocused();
  await expect(form).toContainText("연결에 문제가 있어 아직 보내지 못했습니다.");
  expect(await keptOf(page, ["코드여주"])).toHaveLength(1);
  await page.close();
  await context.setOffline(false);
  const next = await context.newPage();
  await next.goto(`${site.url}/contact`);
  await expect(next.getByText(SENT)).toBeVisible();
  await isMailedOnce(smtp, "코드여주");
});
