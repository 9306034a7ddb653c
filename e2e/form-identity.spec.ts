import type { Page } from "@playwright/test";
import { findOnDevice } from "#testing/browser/device-storage.ts";
import { eventually } from "#testing/browser/eventually.ts";
import {
  autofillForm,
  FORM_URLS,
  fillForm,
  openContact,
  recordPosts,
  SAMPLE_VALUES,
  shownReceipt,
} from "#testing/browser/form.ts";
import { failServer, submitIntoOutbox } from "#testing/browser/kept-application.ts";
import { expect, test } from "#testing/browser/test.ts";
import { waitForHydration } from "#testing/browser/wait-for-hydration.ts";

async function holdScripts(page: Page): Promise<() => void> {
  const scripts = Promise.withResolvers<void>();
  await page.route(/_next\/static\/.*\.js/, async (route) => {
    await scripts.promise;
    await route.continue();
  });
  return scripts.resolve;
}

test("a duplicated tab submits an application of its own from a copied draft [86]", async ({
  page,
  site,
  context,
  quiet,
}) => {
  quiet(/Failed to load resource/);
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "원본여주" });
  // Like a duplicated tab, a window that a page opens gets a copy of the session storage.
  const opened = context.waitForEvent("page");
  await page.evaluate(() => void open("/contact"));
  const copy = await opened;
  const other = copy.locator("main");
  await expect(other.getByLabel("이름")).toHaveValue("원본여주");
  for (const each of [page, copy]) await failServer(each);
  await submitIntoOutbox(other, "복제여주");
  await expect(form.getByLabel("이름")).toHaveValue("원본여주");
  await submitIntoOutbox(form, "원본여주");
  for (const name of ["원본여주", "복제여주"])
    expect(await findOnDevice(page, [name])).toHaveLength(1);
});

test("typed values survive an extension's change of the page [86]", async ({
  page,
  site,
  quiet,
}) => {
  quiet(/Minified React error|Hydration/);
  const releaseScripts = await holdScripts(page);
  const arrived = page.goto(`${site.url}/contact`);
  await page.getByLabel("이름").fill("바뀐여주");
  await page.locator("main h1").evaluate((heading) => heading.replaceChildren("Application"));
  await page.locator("main form").evaluate((form) => form.prepend(document.createElement("font")));
  releaseScripts();
  await arrived;
  await expect(page.locator("main form[data-ready]")).toBeVisible();
  await expect(page.getByLabel("이름")).toHaveValue("바뀐여주");
  await eventually(() => findOnDevice(page, ["바뀐여주"])).toHaveLength(1);
});

test("the scripts do not resend a form that the browser sends [95]", async ({ page, site }) => {
  const answer = Promise.withResolvers<void>();
  await page.route(FORM_URLS, async (route) => {
    await answer.promise;
    await route.continue();
  });
  // `page.evaluate` would wait until the navigation ends, so the page calls a function of the test.
  const pressed = Promise.withResolvers<void>();
  await page.exposeFunction("onPressed", pressed.resolve);
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const form = document.querySelector<HTMLFormElement>("form[data-ready]");
      if (!form?.querySelector("[type=submit][aria-disabled=true]")) return;
      form.requestSubmit();
      Reflect.get(globalThis, "onPressed")();
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  const posts = recordPosts(page);
  const releaseScripts = await holdScripts(page);
  await page.mainFrame().goto(`${site.url}/contact`, { waitUntil: "domcontentloaded" });
  const form = page.locator("main form");
  await autofillForm(form, { ...SAMPLE_VALUES, name: "먼저여주" });
  await form.evaluate((element: HTMLFormElement) => element.requestSubmit());
  await eventually(() => posts.length).toBe(1);
  releaseScripts();
  await pressed.promise;
  answer.resolve();
  await expect(shownReceipt(page)).toBeVisible();
  expect(posts).toHaveLength(1);
  await waitForHydration(page);
  await page.goBack();
  await expect(page.locator("main form[data-ready]")).toBeVisible();
  await expect(page.getByLabel("이름")).toHaveValue("");
  await fillForm(page.locator("main"), { name: "다음여주" });
  // A reload of the result must not end the next application's draft.
  await page.goForward();
  await expect(shownReceipt(page)).toBeVisible();
  await page.reload();
  await openContact(page, site.url);
  await expect(page.getByLabel("이름")).toHaveValue("다음여주");
});

test("text typed before the scripts run stays, even after a submission [86]", async ({
  page,
  site,
}) => {
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "먼저여주" });
  await form.locator("[type=submit]").click();
  await expect(shownReceipt(page)).toBeVisible();
  const releaseScripts = await holdScripts(page);
  const arrived = page.goto(`${site.url}/contact`);
  await form.getByLabel("이름").pressSequentially("다음여주");
  releaseScripts();
  await arrived;
  await expect(page.locator("main form[data-ready]")).toBeVisible();
  await eventually(() => findOnDevice(page, ["다음여주"])).toHaveLength(1);
  await expect(form.getByLabel("이름")).toHaveValue("다음여주");
});
