import type { BrowserContext } from "@playwright/test";
import { failureCopy } from "#lib/content/application-result.ts";
import { findAnnouncements, recordAnnouncements } from "#testing/browser/announcements.ts";
import { findOnDevice } from "#testing/browser/device-storage.ts";
import { eventually } from "#testing/browser/eventually.ts";
import {
  dialogToast,
  FORM_URLS,
  fillForm,
  openDialog,
  SAMPLE_VALUES,
} from "#testing/browser/form.ts";
import {
  expectTextedOnce,
  failServer,
  findTexts,
  openContactWithQueued,
  openDialogWithQueued,
  RECEIVED_TEXT,
  rejectPhone,
} from "#testing/browser/queued-application.ts";
import { expect, test } from "#testing/browser/test.ts";

const CORRECTED = "010-8765-4321";

test.beforeEach(({ quiet }) => quiet(/Failed to load resource/));

async function deleteQueued(context: BrowserContext, url: string): Promise<void> {
  const other = await context.newPage();
  await failServer(other);
  await other.goto(`${url}/pricing`);
  await other.getByText("자세히").click();
  await other.getByText("삭제", { exact: true }).click();
  await other.getByRole("button", { name: "삭제하기" }).click();
}

test("closing a dialog sends its edited form", async ({ page, site, context, twilio }) => {
  const dialog = await openDialogWithQueued(page, site.url, "고침여주");
  await dialog.getByLabel("전화번호").fill(CORRECTED);
  await expect(dialog.getByRole("alert")).toContainText("아직 보내지 않았습니다");
  await expect(dialog.getByRole("alert")).not.toContainText("자동으로");
  const other = await context.newPage();
  await other.goto(`${site.url}/pricing`);
  const status = other.getByRole("status").filter({ hasText: "다른 창에서 고치고 있는" });
  await expect(status).toBeVisible();
  await expect(status).not.toContainText("자동으로");
  await expect(other.getByRole("button", { name: "지금 보내기" })).toHaveCount(0);
  await page.unroute(FORM_URLS);
  await other.reload();
  await expect(status).toBeVisible();
  expect(findTexts(twilio, "고침여주")).toEqual([]);
  await page.getByRole("button", { name: "닫기", exact: true }).first().click();
  await expect(other.getByText(RECEIVED_TEXT)).toBeVisible();
  await expectTextedOnce(twilio, "고침여주");
  expect(findTexts(twilio, "고침여주")[0]?.body).toContain(CORRECTED);
  await eventually(() => findOnDevice(other, [CORRECTED, SAMPLE_VALUES.phone])).toEqual([]);
});

test("a closed dialog announces that nothing keeps its application", async ({ page, site }) => {
  await recordAnnouncements(page);
  await page.addInitScript(() => Object.defineProperty(globalThis, "indexedDB", { value: null }));
  const closed = Promise.withResolvers<void>();
  await page.route(FORM_URLS, (route) => closed.promise.then(() => route.abort()));
  const dialog = await openDialog(page, site.url);
  await fillForm(dialog);
  await dialog.locator("[type=submit]").click();
  await dialog.getByRole("button", { name: "닫기", exact: true }).first().click();
  await expect(dialog).toBeHidden();
  closed.resolve();
  await expect(page.getByText("신청서에 그대로 있습니다.")).toBeVisible();
  expect(await findAnnouncements(page, "신청서에 그대로 있습니다.")).toHaveLength(1);
  await page.getByRole("link", { name: "신청서 쓰기", exact: true }).click();
  await expect(dialog.getByRole("alert")).toContainText(failureCopy.connection);
});

test("a dialog shows that its record was deleted or rejected", async ({ page, site, context }) => {
  const dialog = await openDialogWithQueued(page, site.url, "삭제여주");
  await deleteQueued(context, site.url);
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect(dialog.getByLabel("이름")).toHaveValue("삭제여주");
  await failServer(page);
  await dialog.locator("[type=submit]").click();
  await expect(dialog.getByRole("alert")).toContainText("보관했습니다");
  await rejectPhone(page);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(dialog.getByRole("alert")).toContainText("전화번호를 다시 적어 주세요.");
  await expect(dialog.getByLabel("전화번호")).toHaveAttribute("aria-invalid", "true");
  // The link adds a history entry, over which the first step back goes.
  await dialog.getByRole("link", { name: "전화번호를 다시 적어 주세요." }).click();
  await page.goBack();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`${site.url}/`);
});

test("the panel of a queued application ends when another tab deletes it", async ({
  page,
  site,
  context,
}) => {
  const form = await openContactWithQueued(page, site.url, "지운여주");
  await form.getByRole("button", { name: "이 화면 계속 보기" }).press("Enter");
  await deleteQueued(context, site.url);
  await expect(form.getByRole("heading", { name: "연수 신청서" })).toBeVisible();
});

test("a toast reports the receipt for an open dialog's record", async ({ page, site, twilio }) => {
  const dialog = await openDialogWithQueued(page, site.url, "열린여주");
  await expect(dialog.getByRole("alert")).toContainText(
    "같은 앱에서 이 사이트를 다시 열 때 보냅니다",
  );
  await page.unroute(FORM_URLS);
  // The event `online` makes the page retry at once.
  await page.evaluate(() => dispatchEvent(new Event("online")));
  const toast = dialogToast(page);
  await expect(toast).toContainText(/[2-9A-Z]{4}-[2-9A-Z]{4}/);
  await expect(dialog).toBeHidden();
  await expectTextedOnce(twilio, "열린여주");
  const receipt = page.getByRole("region", { name: "접수되었습니다" });
  await expect(receipt).toHaveCount(0);
  const call = page.locator("main").getByRole("link", { name: "전화하기" });
  await expect(call).toBeInViewport();
  const box = await call.boundingBox();
  const over = await toast.locator("> *").boundingBox();
  expect((over?.y ?? 0) + (over?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
  await toast.getByRole("button", { name: "닫기" }).press("Enter");
  await expect(page.getByRole("link", { name: "신청서 쓰기", exact: true })).toBeFocused();
  await expect(page.getByText(RECEIVED_TEXT)).toBeVisible();
});

test("an edited form announces that its queued version was received", async ({ page, site }) => {
  await recordAnnouncements(page);
  const dialog = await openDialogWithQueued(page, site.url, "늦은여주");
  const answer = Promise.withResolvers<void>();
  await page.route(FORM_URLS, (route) => answer.promise.then(() => route.continue()));
  const request = page.waitForRequest(FORM_URLS);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await request;
  await dialog.getByLabel("전화번호").fill(CORRECTED);
  answer.resolve();
  await expect(dialog.getByText(RECEIVED_TEXT)).toBeVisible();
  expect(await findAnnouncements(page, RECEIVED_TEXT)).toHaveLength(1);
});

test("a button leads to /contact if the dialog's code never loads", async ({ page, site }) => {
  await page.addInitScript(() => {
    globalThis.requestIdleCallback = () => 0;
  });
  await page.goto(site.url);
  await page.route(/_next\/static\/.*\.js/, () => new Promise(() => undefined));
  const opener = page.getByRole("link", { name: "신청서 쓰기", exact: true });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await opener.click({ noWaitAfter: true });
  await page.clock.runFor(3_000);
  await page.waitForURL(`${site.url}/contact#form`, { waitUntil: "commit" });
});
