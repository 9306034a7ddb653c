import { expect, test } from "#testing/test.ts";

test("a script file that does not come leaves the form, or else the number and a way to try again", async ({
  page,
  site,
  quiet,
}) => {
  test.setTimeout(180_000);
  quiet(/404|Failed to load|ChunkLoadError|Minified React error/);
  await page.goto(`${site.url}/contact`);
  const files = await page
    .locator("script[async][src]")
    .evaluateAll((scripts) => scripts.map((script) => script.getAttribute("src") ?? ""));
  const lost: string[] = [];
  for (const file of new Set(files)) {
    await page.route(site.url + file, (route) => route.fulfill({ status: 404, body: "" }));
    const missed = page.waitForResponse(site.url + file);
    await page.mainFrame().goto(`${site.url}/contact`);
    await missed;
    const main = page.locator("main");
    const again = main.getByRole("button", { name: "다시 시도하기" });
    await expect(main.locator("form").or(again)).toBeVisible();
    await page.unroute(site.url + file);
    if (await main.locator("form").count()) continue;
    lost.push(file);
    await expect(main.getByRole("link", { name: "010-0000-0000" })).toBeVisible();
  }
  // The file of the form itself alone.
  expect(lost.length).toBeLessThanOrEqual(1);
});
