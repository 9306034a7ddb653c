import { SYNC_TAG } from "#lib/browser/background-sync.ts";
import { findOnDevice, waitForServiceWorker } from "#testing/browser/device-storage.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { openContact, SAMPLE_VALUES } from "#testing/browser/form.ts";
import { listMails, RECEIVED_TEXT, submitIntoOutbox } from "#testing/browser/kept-application.ts";
import { expect, test } from "#testing/browser/test.ts";
import { waitForIdleScripts } from "#testing/browser/wait-for-hydration.ts";
import { countAfterSending } from "#testing/site/site-with-peers.ts";

test.use({ serviceWorkers: "allow" });

test("a kept application is sent after its tab closes [35]", async ({
  page,
  site,
  smtp,
  quiet,
}) => {
  quiet(/Failed to load resource/);
  const watcher = await page.context().newPage();
  await watcher.goto(`${site.url}/robots.txt`);
  const form = await openContact(page, site.url);
  await waitForServiceWorker(page);
  await waitForIdleScripts(page);
  await page.context().setOffline(true);
  await submitIntoOutbox(form, "닫은여주");
  const syncTags = async () => (await navigator.serviceWorker.ready).sync?.getTags();
  await eventually(() => page.evaluate(syncTags)).toEqual([SYNC_TAG]);
  await page.close();
  await watcher.context().setOffline(false);
  // The service worker leaves 12 s to the page that has kept the application.
  await eventually(() => listMails(smtp, "닫은여주").length, { timeout: 25_000 }).toBe(1);
  await eventually(() => findOnDevice(watcher, ["닫은여주", SAMPLE_VALUES.phone])).toEqual([]);

  await watcher.goto(`${site.url}/gallery`);
  await expect(watcher.getByText(RECEIVED_TEXT)).toBeVisible();
  expect(await countAfterSending(site, "닫은여주")).toBe(1);
  expect(listMails(smtp, "닫은여주")).toHaveLength(1);
});
