import { receiptTexts } from "#lib/content/application-result.ts";
import { fillByHand } from "#testing/browser/form.ts";
import {
  expectMailedOnce,
  KEPT_TEXT,
  openContactWithKept,
} from "#testing/browser/kept-application.ts";
import { expect, expectAccessible, test } from "#testing/browser/test.ts";

/** The share of the processor's time under which a page counts as idle. */
const BUSY_PART = 0.5;

test("a page whose script is missing can be used [39]", async ({ page, site, smtp, quiet }) => {
  quiet(/404|Failed to load/);
  await page.goto(`${site.url}/contact`);
  const files = await page
    .locator("script[async][src]")
    .evaluateAll((scripts) => scripts.map((script) => script.getAttribute("src") ?? ""));
  expect(files.length).toBeGreaterThan(2);
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  const metric = async (name: string) =>
    (await client.send("Performance.getMetrics")).metrics.find((each) => each.name === name)
      ?.value ?? Number.NaN;
  const main = page.locator("main");
  // The last file is the bundler's runtime. The first file represents all other files.
  for (const file of [files[0], files.at(-1)]) {
    await page.unrouteAll();
    await page.route(site.url + file, (route) => route.fulfill({ status: 404, body: "" }));
    const missed = page.waitForResponse(site.url + file);
    // `page.goto` of testing/browser/test.ts would wait for all scripts.
    await page.mainFrame().goto(`${site.url}/contact`);
    await missed;
    await page.waitForLoadState("networkidle");
    const [tasks, time] = [await metric("TaskDuration"), await metric("Timestamp")];
    await page.evaluate(() => new Promise((end) => setTimeout(end, 1_000)));
    const busy = (await metric("TaskDuration")) - tasks;
    expect(busy / ((await metric("Timestamp")) - time), file).toBeLessThan(BUSY_PART);
    await expect(main.getByRole("link", { name: "010-0000-0000" }).first()).toBeVisible();
    await expect(main.locator("form")).toBeVisible();
  }
  await fillByHand(main, { name: "조각여주" });
  await main.getByRole("button", { name: "신청서 보내기" }).click();
  await expect(page.getByRole("heading", { level: 1, name: receiptTexts.title })).toBeVisible();
  await expectAccessible(page);
  await expectMailedOnce(smtp, "조각여주");
});

test("notice boxes whose code was lost appear once the network is back", async ({
  page,
  site,
  quiet,
}) => {
  quiet(/Failed to load|ERR_FAILED/);
  await openContactWithKept(page, site.url, "놓친여주");
  const html = await (await page.request.get(`${site.url}/gallery`)).text();
  await page.route(/_next\/static\/.*\.js/, (route, request) =>
    html.includes(new URL(request.url()).pathname) ? route.continue() : route.abort(),
  );
  const lost = page.waitForEvent("requestfailed");
  await page.goto(`${site.url}/gallery`);
  await lost;
  await page.waitForLoadState("networkidle");
  await page.unroute(/_next\/static\/.*\.js/);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(page.getByText(KEPT_TEXT)).toBeVisible();
});

test("a browser that is too old for the scripts submits the form without them [39]", async ({
  page,
  site,
  smtp,
  quiet,
}) => {
  quiet(/too old/);
  await page.addInitScript(() => void Reflect.deleteProperty(Promise, "withResolvers"));
  const main = page.locator("main");
  const chip = main.getByText("여성 강사 희망", { exact: true });
  await page.mainFrame().goto(`${site.url}/contact`);
  await page.waitForLoadState("networkidle");
  await expect(chip).toBeHidden();
  await fillByHand(main, { name: "옛날여주", phone: "010" });
  await main.getByRole("button", { name: "신청서 보내기" }).click();
  await page.waitForURL(/result/);
  await page.waitForLoadState("networkidle");
  await expect(chip).toBeHidden();
  await fillByHand(main, { name: "옛날여주" });
  await main.getByRole("button", { name: "신청서 보내기" }).click();
  await expect(page.getByRole("heading", { level: 1, name: receiptTexts.title })).toBeVisible();
  await expectMailedOnce(smtp, "옛날여주");
});
