import { workerIsReady } from "#testing/device.ts";
import { eventually } from "#testing/eventually.ts";
import { expect, test } from "#testing/test.ts";

test.beforeEach(({ quiet }) => {
  quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
});

test.describe("with the service worker", () => {
  test.use({ serviceWorkers: "allow" });

  test("pictures that were shown are there without a network, and pages need no preload", async ({
    page,
    site,
  }) => {
    await page.goto(site.url);
    await workerIsReady(page);
    const preloads = await page.evaluate(async () => {
      const { navigationPreload } = await navigator.serviceWorker.ready;
      return (await navigationPreload.getState()).enabled;
    });
    expect(preloads).toBe(false);
    await page.goto(`${site.url}/gallery`);
    const picture = page.locator("main img").first();
    const shown = () =>
      picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0);
    await eventually(shown).toBe(true);
    await page.context().setOffline(true);
    await page.goto(`${site.url}/gallery`);
    await eventually(shown).toBe(true);
  });

  test("with full storage pictures are shown as long as there is a network", async ({
    page,
    site,
  }) => {
    await page.goto(site.url);
    await workerIsReady(page);
    const client = await page.context().newCDPSession(page);
    await client.send("Storage.overrideQuotaForOrigin", { origin: site.url, quotaSize: 1 });
    await page.goto(`${site.url}/gallery`);
    const sources = () =>
      page
        .locator("main img")
        .evaluateAll((images) =>
          images.map((image) => (image instanceof HTMLImageElement ? image.currentSrc : "")),
        );
    await eventually(
      async () => (await sources()).filter((source) => source.includes("placeholder")).length,
    ).toBe(0);
    await expect(page.getByText("이미지 준비 중")).toHaveCount(0);
  });
});
