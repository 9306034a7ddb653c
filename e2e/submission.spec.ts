import type { Page } from "@playwright/test";
import { keptOf } from "#testing/device.ts";
import { eventually } from "#testing/eventually.ts";
import { API, fillForm, openContact, openDialog, VALUES } from "#testing/form.ts";
import { expect, test } from "#testing/test.ts";
import {
  failedInDialog,
  keptOnContact,
  phoneIsRefused,
  SENT,
} from "#testing/unsent-application.ts";

const CORRECTED = "010-8765-4321";

test.beforeEach(({ quiet }) => {
  quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
});

/** In place of the seconds until the page tries again by itself. */
const connectionIsBack = (page: Page) => page.evaluate(() => dispatchEvent(new Event("online")));

test.describe("an application that was corrected after its press had failed", () => {
  const ENDINGS: [what: string, leave: (page: Page) => Promise<unknown>][] = [
    ["reloaded", (page) => page.reload()],
    [
      "closed with X",
      (page) => page.getByRole("button", { name: "닫기", exact: true }).first().click(),
    ],
  ];
  for (const [index, [what, leave]] of ENDINGS.entries()) {
    test(`goes out as it stood in the form at the end: ${what}`, async ({ page, site, twilio }) => {
      const name = `고침여주${index}`;
      const dialog = await failedInDialog(page, site.url, name);
      await dialog.getByLabel("전화번호").fill(CORRECTED);
      await page.unroute(API);
      await leave(page);
      await connectionIsBack(page);
      const mine = () => twilio.messages.filter(({ body }) => body.includes(name));
      await eventually(() => mine().length, { timeout: 20_000 }).toBe(1);
      expect(mine()[0]?.body).toContain(CORRECTED);
      await eventually(() => keptOf(page, [CORRECTED, VALUES.phone])).toEqual([]);
      expect(mine()).toHaveLength(1);
    });
  }
});

test("a corrected version of an application that the server has, though its answer was lost, names the one before", async ({
  page,
  site,
  twilio,
}) => {
  const keys: Record<string, string | undefined>[] = [];
  page.on("request", (request) => {
    const headers = request.headers();
    if (request.method() === "POST")
      keys.push({ own: headers["idempotency-key"], corrects: headers["corrects-key"] });
  });
  await page.route(API, async (route) => {
    await route.fetch();
    await route.fulfill({ status: 502, body: "" });
  });
  const dialog = await openDialog(page, site.url);
  await fillForm(dialog, { name: "두번여주" });
  await dialog.locator("[type=submit]").click();
  await expect(dialog.getByRole("alert")).toContainText("오류가 발생했습니다");
  await dialog.getByLabel("전화번호").fill(CORRECTED);
  await page.unroute(API);
  await dialog.locator("[type=submit]").click();
  await expect(dialog).toBeHidden();
  const mine = () => twilio.messages.filter(({ body }) => body.includes("두번여주"));
  await eventually(() => mine().filter(({ body }) => body.includes(CORRECTED)).length).toBe(1);
  expect(mine().length).toBeLessThanOrEqual(2);
  const [first] = keys;
  expect(first?.corrects).toBeUndefined();
  expect(keys.at(-1)).toEqual({
    own: expect.not.stringMatching(`${first?.own}`),
    corrects: first?.own,
  });
});

test("an open dialog does not keep an application from being sent, and says when it is", async ({
  page,
  site,
  twilio,
}) => {
  const dialog = await failedInDialog(page, site.url, "열린여주");
  await expect(dialog.getByRole("alert")).toContainText("이 사이트를 다시 여시면 보냅니다");
  await page.unroute(API);
  await connectionIsBack(page);
  const toast = page.getByRole("status").filter({ hasText: "성공적으로 접수되었습니다" });
  await expect(toast).toContainText(/[2-9A-Z]{4}-[2-9A-Z]{4}/);
  await expect(dialog).toBeHidden();
  await eventually(
    () => twilio.messages.filter(({ body }) => body.includes("열린여주")).length,
  ).toBe(1);
  // One of them: on a phone the toast leaves 전화하기 free, and the receipt comes when it goes.
  const receipt = page.getByRole("region", { name: "접수되었습니다" });
  await expect(receipt).toHaveCount(0);
  const call = page.locator("main").getByRole("link", { name: "전화하기" });
  await expect(call).toBeInViewport();
  const box = await call.boundingBox();
  const over = await toast.locator("> *").boundingBox();
  expect((over?.y ?? 0) + (over?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
  await toast.getByRole("button", { name: "닫기" }).click();
  await expect(page.getByText(SENT)).toBeVisible();
});

test("a press whose code never arrives leads to the form's page", async ({ page, site }) => {
  await page.addInitScript(() => {
    globalThis.requestIdleCallback = () => 0;
  });
  await page.goto(site.url);
  await page.route(/_next\/static\/.*\.js/, () => new Promise(() => undefined));
  const opener = page.getByRole("link", { name: "신청하기", exact: true });
  await opener.click({ noWaitAfter: true });
  await page.waitForURL(`${site.url}/contact#form`, { timeout: 8_000, waitUntil: "commit" });
});

test("an unexpected failure at the press ends with a call and a text message, and nothing is kept", async ({
  page,
  site,
}) => {
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "예외여주" });
  await page.evaluate(() => {
    crypto.getRandomValues = () => {
      throw new Error("unexpected");
    };
  });
  await form.locator("[type=submit]").click();
  const box = form.getByRole("alert").filter({ hasText: "오류가 발생했습니다" });
  await expect(box).toBeFocused();
  await expect(box.getByRole("link", { name: "전화로 신청하기" })).toHaveAttribute("href", /^tel:/);
  await expect(box.getByRole("link", { name: "문자로 신청하기" })).toHaveAttribute("href", /^sms:/);
  await expect(form.getByLabel("이름")).toHaveValue("예외여주");
  await expect(form.locator("[type=submit]")).toBeEnabled();
});

test("고쳐서 보내기 during a submission waits for its answer, and then brings the correction", async ({
  page,
  site,
}) => {
  await keptOnContact(page, site.url, "먼저여주");
  await page.unroute(API);
  await phoneIsRefused(page);
  await page.reload();
  const main = page.locator("main");
  const notice = main.getByRole("alert").filter({ hasText: "접수되지 않았습니다" });
  await expect(notice).toBeVisible();
  await page.unroute(API);
  const answered = Promise.withResolvers<void>();
  await page.route(API, async (route) => {
    await answered.promise;
    await route.continue();
  });
  await fillForm(main, { name: "나중여주" });
  await page.clock.install();
  await main.locator("[type=submit]").click();
  await expect(main.locator("form")).toHaveAttribute("aria-busy", "true");
  await notice.getByRole("link", { name: "고쳐서 보내기" }).click();
  await expect(main.getByLabel("이름")).toHaveValue("나중여주");
  answered.resolve();
  await expect(main.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeVisible();
  await page.clock.runFor(3_000);
  await expect(main.getByLabel("이름")).toHaveValue("먼저여주");
  await expect(main.getByLabel("전화번호")).toBeFocused();
});
