import { eventually } from "#testing/eventually.ts";
import { API } from "#testing/form.ts";
import { withoutScrollAnchoring } from "#testing/scroll-anchoring.ts";
import { expect, expectAccessible, test } from "#testing/test.ts";
import { keptOnContact } from "#testing/unsent-application.ts";

test.beforeEach(({ quiet }) => {
  quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
});

test("지금 보내기 always answers", async ({ page, site }) => {
  await keptOnContact(page, site.url, "대답여주");
  await page.goto(`${site.url}/pricing`);
  const status = page.getByRole("status").filter({ hasText: "아직 보내지 못한" });
  await status.getByRole("button", { name: "지금 보내기" }).click();
  await expect(status).toContainText("지금은 보내지 못했습니다. 잠시 뒤 자동으로 다시 보냅니다.");
  await expectAccessible(page);
  await page.unroute(API);
  await status.getByRole("button", { name: "지금 보내기" }).click();
  await expect(page.getByText("보관했던 신청서가 접수되었습니다.")).toBeVisible();
});

test("what one tab deletes, another tab no longer shows", async ({ page, site, context }) => {
  await context.route(API, (route) => route.fulfill({ status: 503, body: "" }));
  await keptOnContact(page, site.url, "두탭여주");
  const other = await context.newPage();
  await other.goto(`${site.url}/pricing`);
  const shown = other.getByText("아직 보내지 못한 신청서가");
  await expect(shown).toBeVisible();
  await page.goto(`${site.url}/gallery`);
  await page.getByRole("button", { name: "삭제" }).click();
  await page.getByRole("button", { name: "삭제하기" }).click();
  await expect(shown).toHaveCount(0);
});

test("a notice does not move the text under a reader who has scrolled, where the browser does not see to that", async ({
  page,
  site,
}) => {
  await withoutScrollAnchoring(page);
  await page.addInitScript(() => {
    // As Safari: later than the visitor begins to read.
    globalThis.requestIdleCallback = (work) =>
      Number(setTimeout(() => Reflect.apply(work, undefined, []), 1_500));
  });
  await keptOnContact(page, site.url, "안밀여주");
  await page.goto(`${site.url}/pricing`);
  await page.evaluate(() => scrollTo({ top: 600, behavior: "instant" }));
  const heading = page.locator("main h2").first();
  const before = (await heading.boundingBox())?.y;
  await expect(page.getByText("아직 보내지 못한 신청서가")).toBeAttached();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect((await heading.boundingBox())?.y).toBeCloseTo(before ?? 0, 0);
});

test("an application that was kept while the clock was wrong is sent, not expired", async ({
  page,
  site,
  smtp,
}) => {
  await page.addInitScript(() => {
    if (sessionStorage.getItem("clock") === "right") return;
    const now = Date.now;
    Date.now = () => now() - 5 * 365 * 86_400_000;
  });
  await keptOnContact(page, site.url, "시계여주");
  await page.evaluate(() => sessionStorage.setItem("clock", "right"));
  await page.unroute(API);
  await page.goto(`${site.url}/pricing`);
  await expect(page.getByText("보관했던 신청서가 접수되었습니다.")).toBeVisible();
  const mine = () => smtp.mails.filter((mail) => mail.parsed.subject?.includes("시계여주"));
  await eventually(() => mine().length).toBe(1);
});
