import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildServiceWorker } from "#build/service-worker.ts";
import { keptAddresses, workerIsReady } from "#testing/device.ts";
import { eventually } from "#testing/eventually.ts";
import { fillForm } from "#testing/form.ts";
import { Site } from "#testing/site.ts";
import { expect, mailSettings, test } from "#testing/test.ts";

const OLD_TITLE = "연수 비용";
const NEW_TITLE = "새로운 비용";

test.use({ serviceWorkers: "allow" });
test.setTimeout(120_000);

/** A copy of the build in which the price page has another title, as after a change and a build. */
async function changedBuild(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "deploy-"));
  for (const name of ["lib", "node_modules", "package.json", "next.config.ts"]) {
    await symlink(resolve(name), join(folder, name));
  }
  await cp("public", join(folder, "public"), { recursive: true });
  await cp(".next", join(folder, ".next"), {
    recursive: true,
    filter: (path) => !/\.next\/(cache|build|dev|server\/route-cache)$/.test(path),
  });
  const page = join(folder, ".next/server/app/pricing.html");
  const html = await readFile(page, "utf8");
  await writeFile(page, html.replaceAll(`${OLD_TITLE} |`, `${NEW_TITLE} |`));
  await buildServiceWorker(folder);
  return folder;
}

test("a deploy is seen at the next visit, and sends what was kept before it", async ({
  page,
  smtp,
  quiet,
}) => {
  quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION/);
  const site = await Site.start(mailSettings(smtp));
  const folder = await changedBuild();
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
