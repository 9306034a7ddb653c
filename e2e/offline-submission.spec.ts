import { findOnDevice, readDatabases } from "#testing/browser/device-storage.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { fillForm, openContact } from "#testing/browser/form.ts";
import {
  expectMailedOnce,
  RECEIVED_TEXT,
  submitIntoOutbox,
} from "#testing/browser/kept-application.ts";
import { KillableBrowser } from "#testing/browser/killable-browser.ts";
import { expect, test } from "#testing/browser/test.ts";
import { FaultyProxy } from "#testing/peers/faulty-proxy.ts";

test.beforeEach(({ quiet }) => quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED/));

test("a browser killed after a submission sends it later [35]", async ({ site, smtp }) => {
  await using proxy = await FaultyProxy.inFrontOf(site);
  await using browser = await KillableBrowser.launch();
  const other = await browser.context.newPage();
  await other.goto(`${proxy.url}/privacy`);
  const form = await openContact(await browser.context.newPage(), proxy.url);
  await fillForm(form, { name: "꺼진여주" });
  proxy.fault = "hang-before";
  // An endless loop starts right after the submission, so that the page never gets the database's answer, nor sends.
  await form.locator("form").evaluate((element) =>
    element.addEventListener("submit", () => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        for (;;);
      };
      port2.postMessage("");
    }),
  );
  void form
    .locator("[type=submit]")
    .click()
    .catch(() => undefined);
  await eventually(() => other.evaluate(readDatabases)).toMatchObject([
    { values: { name: "꺼진여주" } },
  ]);
  await browser.kill();
  proxy.heal();
  await browser.startAgain();
  const next = await browser.context.newPage();
  await next.goto(`${proxy.url}/pricing`);
  await expectMailedOnce(smtp, "꺼진여주");
});

test("a page that is never idle keeps an application", async ({ page, context, site, smtp }) => {
  await page.addInitScript(() => {
    globalThis.requestIdleCallback = () => 0;
  });
  const form = await openContact(page, site.url);
  await context.setOffline(true);
  await submitIntoOutbox(form, "코드여주");
  await expect(form).toContainText("연결에 문제가 있어 아직 보내지 못했습니다(오프라인 모드).");
  expect(await findOnDevice(page, ["코드여주"])).toHaveLength(1);
  await page.close();
  await context.setOffline(false);
  const next = await context.newPage();
  await next.goto(`${site.url}/contact`);
  await expect(next.getByText(RECEIVED_TEXT)).toBeVisible();
  await expectMailedOnce(smtp, "코드여주");
});
