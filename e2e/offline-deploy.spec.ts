import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { waitForServiceWorker } from "#testing/browser/device-storage.ts";
import { eventually } from "#testing/browser/eventually.ts";
import {
  expectMailedOnce,
  listMails,
  RECEIVED_TEXT,
  submitIntoOutbox,
} from "#testing/browser/kept-application.ts";
import { expect, mailSettings, test } from "#testing/browser/test.ts";
import { copyBuildWithTexts } from "#testing/site/copy-of-build.ts";
import { Site } from "#testing/site/site.ts";

const OLD_TITLE = " 비용 ";
const NEW_TITLE = " 새로운비용 ";

test.use({ serviceWorkers: "allow" });

const [OLD_SCRIPT = ""] = JSON.parse(
  readFileSync(".next/build-manifest.json", "utf8"),
).polyfillFiles;

test("a new build is used from the next visit on [74]", async ({ page, smtp, quiet }) => {
  quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION/);
  await using build = await copyBuildWithTexts({ [OLD_TITLE]: NEW_TITLE });
  await using site = await Site.start(mailSettings(smtp.mailServer()));
  await rm(join(build.folder, ".next", OLD_SCRIPT));
  await page.goto(`${site.url}/pricing`);
  await expect(page).toHaveTitle(new RegExp(OLD_TITLE));
  await waitForServiceWorker(page);
  const caches = () => page.evaluate(() => globalThis.caches.keys());
  const [old = ""] = await caches();
  await page.goto(`${site.url}/contact`);
  await site.end("SIGTERM");
  await submitIntoOutbox(page.locator("main"), "배포여주");
  await page.goto(`${site.url}/pricing`);
  await expect(page).toHaveTitle(new RegExp(OLD_TITLE));

  await site.deploy(build.folder);
  // A page of the old build that is still open requests the old build's script.
  const script = await fetch(`${site.url}/_next/${OLD_SCRIPT}`);
  expect(await script.text()).toBe(readFileSync(join(".next", OLD_SCRIPT), "utf8"));
  await page.goto(`${site.url}/pricing`);
  await expect(page).toHaveTitle(new RegExp(NEW_TITLE));
  await expect(page.getByText(RECEIVED_TEXT)).toBeVisible();
  await expectMailedOnce(smtp, "배포여주");

  await eventually(async () => (await caches()).includes(old)).toBe(false);
  await page.context().setOffline(true);
  await page.goto(`${site.url}/pricing`);
  await expect(page).toHaveTitle(new RegExp(NEW_TITLE));
  expect(listMails(smtp, "배포여주")).toHaveLength(1);
});
