import { findOnDevice } from "#testing/browser/device-storage.ts";
import { eventually } from "#testing/browser/eventually.ts";
import {
  FORM_ROUTES,
  fillForm,
  openContact,
  openDialog,
  recordPosts,
  VALUES,
} from "#testing/browser/form.ts";
import {
  expectTextedOnce,
  findTexts,
  openDialogWithQueued,
  SENT_TEXT,
  WAITING_TEXT,
} from "#testing/browser/queued-application.ts";
import { expect, test } from "#testing/browser/test.ts";

const CORRECTED = "010-8765-4321";

test.beforeEach(({ quiet }) => quiet(/Failed to load resource/));

for (const [left, typed, sent] of [
  ["dialog", CORRECTED, CORRECTED],
  ["tab", "010-", VALUES.phone],
] as const) {
  test(`a failed submission is sent in its last valid version after its ${left} closes`, async ({
    page,
    site,
    context,
    twilio,
  }) => {
    const name = `고침여주${left.length}`;
    const dialog = await openDialogWithQueued(page, site.url, name);
    await dialog.getByLabel("전화번호").fill(typed);
    const other = await context.newPage();
    await other.goto(`${site.url}/pricing`);
    const status = other.getByRole("status").filter({ hasText: WAITING_TEXT });
    await status.getByRole("button", { name: "지금 보내기" }).click();
    await expect(status).toContainText("지금은 보내지 못했습니다.");
    expect(findTexts(twilio, name)).toEqual([]);
    await page.unroute(FORM_ROUTES);
    if (left === "dialog")
      await page.getByRole("button", { name: "닫기", exact: true }).first().click();
    else {
      await page.close({ runBeforeUnload: true });
      await other.reload();
    }
    await expect(other.getByText(SENT_TEXT)).toBeVisible();
    await expectTextedOnce(twilio, name);
    expect(findTexts(twilio, name)[0]?.body).toContain(sent);
    await eventually(() => findOnDevice(other, [CORRECTED, VALUES.phone])).toEqual([]);
  });
}

test("a correction after a lost response names the earlier application", async ({ page, site }) => {
  const posts = recordPosts(page);
  await page.route(FORM_ROUTES, async (route) => {
    await route.fetch();
    await route.fulfill({ status: 502, body: "" });
  });
  const dialog = await openDialog(page, site.url);
  await fillForm(dialog, { name: "두번여주" });
  await dialog.locator("[type=submit]").click();
  await expect(dialog.getByRole("alert")).toContainText("오류가 발생했습니다");
  await dialog.getByLabel("전화번호").fill(CORRECTED);
  await page.unroute(FORM_ROUTES);
  await dialog.locator("[type=submit]").click();
  await expect(dialog).toBeHidden();
  const key = posts[0]?.headers()["idempotency-key"];
  const correction = { "idempotency-key": `${key}-`, "corrects-key": key };
  expect(posts.at(-1)?.headers()).toMatchObject(correction);
});

test("an application is sent while its dialog is open, and a toast reports it", async ({
  page,
  site,
  twilio,
}) => {
  const dialog = await openDialogWithQueued(page, site.url, "열린여주");
  await expect(dialog.getByRole("alert")).toContainText("이 사이트를 다시 여시면 보냅니다");
  await page.unroute(FORM_ROUTES);
  // The event replaces the seconds until the page's own retry.
  await page.evaluate(() => dispatchEvent(new Event("online")));
  const toast = page.getByRole("status").filter({ hasText: "성공적으로 접수되었습니다" });
  await expect(toast).toContainText(/[2-9A-Z]{4}-[2-9A-Z]{4}/);
  await expect(dialog).toBeHidden();
  await expectTextedOnce(twilio, "열린여주");
  // Only one of them appears: on a phone the toast leaves 전화하기 free, and the receipt follows it.
  const receipt = page.getByRole("region", { name: "접수되었습니다" });
  await expect(receipt).toHaveCount(0);
  const call = page.locator("main").getByRole("link", { name: "전화하기" });
  await expect(call).toBeInViewport();
  const box = await call.boundingBox();
  const over = await toast.locator("> *").boundingBox();
  expect((over?.y ?? 0) + (over?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
  await toast.getByRole("button", { name: "닫기" }).click();
  await expect(page.getByText(SENT_TEXT)).toBeVisible();
});

test("a button whose code never loads leads to the form's page", async ({ page, site }) => {
  await page.addInitScript(() => {
    globalThis.requestIdleCallback = () => 0;
  });
  await page.goto(site.url);
  await page.route(/_next\/static\/.*\.js/, () => new Promise(() => undefined));
  const opener = page.getByRole("link", { name: "신청하기", exact: true });
  await opener.click({ noWaitAfter: true });
  await page.waitForURL(`${site.url}/contact#form`, { timeout: 8_000, waitUntil: "commit" });
});

test("an unexpected failure offers a call and a text message, and queues nothing", async ({
  page,
  site,
}) => {
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "예외여주" });
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => {
      Date.now = now;
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
