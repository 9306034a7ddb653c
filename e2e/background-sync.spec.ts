import { keptOf, workerIsReady } from "#testing/browser/device-storage.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { openContact, VALUES } from "#testing/browser/form.ts";
import { isMailedOnce, mailsOf, pressToKeep, SENT } from "#testing/browser/queued-application.ts";
import { expect, test } from "#testing/browser/test.ts";
import { loadedWhenIdle } from "#testing/browser/wait-for-hydration.ts";
import { sentUnder } from "#testing/site/site-with-peers.ts";

test.use({ serviceWorkers: "allow" });

test("a closed tab still sends, once", async ({ page, site, smtp, quiet }) => {
  quiet(/Failed to load resource/);
  const watcher = await page.context().newPage();
  await watcher.goto(`${site.url}/robots.txt`);
  const form = await openContact(page, site.url);
  await workerIsReady(page);
  await loadedWhenIdle(page);
  await page.context().setOffline(true);
  await pressToKeep(form, "닫은여주");
  await page.close();
  await watcher.context().setOffline(false);
  await isMailedOnce(smtp, "닫은여주");
  await eventually(() => keptOf(watcher, ["닫은여주", VALUES.phone])).toEqual([]);

  await watcher.goto(`${site.url}/gallery`);
  await expect(watcher.getByText(SENT)).toBeVisible();
  expect(await sentUnder(site, "닫은여주")).toBe(1);
  expect(mailsOf(smtp, "닫은여주")).toHaveLength(1);
});
