import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { changedBuild } from "#testing/copy-of-build.ts";
import { keptAddresses, workerIsReady } from "#testing/device.ts";
import { eventually } from "#testing/eventually.ts";
import { fillForm } from "#testing/form.ts";
import { Site } from "#testing/site.ts";
import { expect, mailSettings, test } from "#testing/test.ts";

const OLD_TITLE = "연수 비용";
const NEW_TITLE = "새로운 비용";

test.use({ serviceWorkers: "allow" });
test.setTimeout(120_000);

/** A script of this build that the next one does not have. */
const [OLD_SCRIPT = ""] = JSON.parse(
  readFileSync(".next/build-manifest.json", "utf8"),
).polyfillFiles;

test("a deploy is seen at the next visit, and sends what was kept before it", async ({
  page,
  smtp,
  quiet,
}) => {
  quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION/);
  const site = await Site.start(mailSettings(smtp));
  const folder = await changedBuild(OLD_TITLE, NEW_TITLE);
  await rm(join(folder, ".next", OLD_SCRIPT));
  try {
    await page.goto(`${site.url}/pricing`);
    await expect(page).toHaveTitle(new RegExp(OLD_TITLE));
    await workerIsReady(page);
    await page.goto(`${site.url}/contact`);
    const form = page.locator("main");
    await fillForm(form, { name: "배포여주" });
    await site.end("SIGTERM");
    await form.locator("[type=submit]").click();
    await expect(form.getByRole("heading", { name: /보관했습니다/ })).toBeVisible();
    // A server that is away for a while: the page is there all the same.
    await page.goto(`${site.url}/pricing`);
    await expect(page).toHaveTitle(new RegExp(OLD_TITLE));

    await site.deploy(folder);
    // A page that was open before asks for it.
    const script = await fetch(`${site.url}/_next/${OLD_SCRIPT}`);
    expect(await script.text()).toBe(readFileSync(join(".next", OLD_SCRIPT), "utf8"));
    await page.goto(`${site.url}/pricing`);
    await expect(page).toHaveTitle(new RegExp(NEW_TITLE));
    await expect(page.getByText("보관했던 신청서가 접수되었습니다")).toBeVisible();
    const mine = () => smtp.mails.filter((mail) => mail.parsed.subject?.includes("배포여주"));
    await eventually(() => mine().length).toBe(1);

    // The new build's pages are the ones for when there is no network.
    const pagesKept = async () => (await keptAddresses(page)).filter((path) => path === "/pricing");
    await eventually(async () => (await pagesKept()).length).toBe(2);
    await eventually(() =>
      page.evaluate(
        async () => (await navigator.serviceWorker.getRegistration())?.installing === null,
      ),
    ).toBe(true);
    await page.context().setOffline(true);
    await page.goto(`${site.url}/pricing`);
    await expect(page).toHaveTitle(new RegExp(NEW_TITLE));
    expect(mine()).toHaveLength(1);
  } finally {
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
