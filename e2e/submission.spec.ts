import type { BrowserContext } from "@playwright/test";
import { submissionFailureTexts } from "#lib/content/application-result.ts";
import { listAnnouncements, recordAnnouncements } from "#testing/browser/announcements.ts";
import { findOnDevice, readDatabases } from "#testing/browser/device-storage.ts";
import { eventually } from "#testing/browser/eventually.ts";
import {
  FORM_URLS,
  fillForm,
  openDialog,
  SAMPLE_VALUES,
  shownReceipt,
  TOAST,
} from "#testing/browser/form.ts";
import {
  answerDialogs,
  expectTextedOnce,
  failServer,
  KEPT_TEXT,
  listTexts,
  openContactWithKept,
  openDialogWithKept,
  RECEIVED_TEXT,
  refusePhone,
  stopTimers,
  WHEN_SENT_TEXT,
} from "#testing/browser/kept-application.ts";
import { expect, test } from "#testing/browser/test.ts";

const CORRECTED_PHONE = "010-8765-4321";
const UNSENT_TEXT = "아직 보내지 않은 신청서입니다";

test.beforeEach(({ quiet }) => quiet(/Failed to load resource/));

async function deleteKept(context: BrowserContext, url: string): Promise<void> {
  const other = await context.newPage();
  await failServer(other);
  answerDialogs(other, () => true);
  await other.goto(`${url}/pricing`);
  await other.getByRole("button", { name: "삭제" }).click();
  await expect(other.getByText(KEPT_TEXT)).toHaveCount(0);
}

test("a kept application whose dialog is closed goes out as it was submitted [62]", async ({
  page,
  site,
  twilio,
}) => {
  const dialog = await openDialogWithKept(page, site.url, "닫힌여주");
  await expect(dialog.getByLabel("전화번호")).toBeDisabled();
  await page.unroute(FORM_URLS);
  await page.keyboard.press("Escape");
  await expect(page.getByText(KEPT_TEXT)).toHaveCount(1);
  await page.getByRole("button", { name: "지금 보내기" }).click();
  await expect(page.getByText(RECEIVED_TEXT)).toBeVisible();
  await expectTextedOnce(twilio, "닫힌여주");
  await page.getByRole("link", { name: "신청서 쓰기", exact: true }).click();
  await expect(dialog.getByLabel("이름")).toHaveValue("");
});

test("an application that is taken back goes out only when submitted again [62]", async ({
  page,
  site,
  context,
  twilio,
}) => {
  const dialog = await openDialogWithKept(page, site.url, "고침여주");
  await dialog.getByRole("button", { name: "고치기" }).press("Enter");
  await expect(dialog.getByRole("status").getByText(UNSENT_TEXT)).toBeInViewport();
  await expect(dialog.getByLabel("이름")).toBeFocused();
  await dialog.getByLabel("전화번호").fill(CORRECTED_PHONE);
  await page.unroute(FORM_URLS);
  const other = await context.newPage();
  await other.goto(`${site.url}/pricing`);
  await expect(other.getByText(KEPT_TEXT)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByRole("link", { name: "신청서 쓰기", exact: true }).click();
  await expect(dialog.getByLabel("전화번호")).toHaveValue(CORRECTED_PHONE);
  expect(listTexts(twilio, "고침여주")).toEqual([]);
  await dialog.locator("[type=submit]").click();
  await expect(shownReceipt(page)).toBeVisible();
  await expectTextedOnce(twilio, "고침여주");
  expect(listTexts(twilio, "고침여주")[0]?.body).toContain(CORRECTED_PHONE);
  await eventually(() => findOnDevice(page, [CORRECTED_PHONE, SAMPLE_VALUES.phone])).toEqual([]);
});

test("a closed dialog opens again if its application cannot be kept", async ({ page, site }) => {
  await recordAnnouncements(page);
  await page.addInitScript(() => Object.defineProperty(globalThis, "indexedDB", { value: null }));
  const closed = Promise.withResolvers<void>();
  await page.route("**/api/**", (route) => closed.promise.then(() => route.abort()));
  const dialog = await openDialog(page, site.url);
  await fillForm(dialog);
  await dialog.locator("[type=submit]").click();
  await dialog.getByRole("button", { name: "닫기", exact: true }).first().click();
  await expect(dialog).toBeHidden();
  closed.resolve();
  const box = dialog.getByRole("alert");
  await expect(box).toContainText(submissionFailureTexts.connection);
  await expect(box).toBeFocused();
  expect(await listAnnouncements(page, submissionFailureTexts.connection)).toHaveLength(1);
  await expect(dialog.getByLabel("이름")).toHaveValue(SAMPLE_VALUES.name);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("a dialog closed during its request opens again if its application is kept", async ({
  page,
  site,
}) => {
  const closed = Promise.withResolvers<void>();
  await page.route(FORM_URLS, (route) =>
    closed.promise.then(() => route.fulfill({ status: 503, body: "" })),
  );
  const dialog = await openDialog(page, site.url);
  await fillForm(dialog);
  await page.evaluate(stopTimers);
  await dialog.locator("[type=submit]").click();
  const close = dialog.getByRole("button", { name: "닫기", exact: true });
  await expect(close).toHaveCount(2);
  await close.last().click();
  await expect(dialog).toBeHidden();
  closed.resolve();
  const box = dialog.getByRole("alert");
  await expect(box).toContainText("이 기기에 보관했습니다.");
  await expect(box).toBeFocused();
  await expect(page.getByText(KEPT_TEXT)).toHaveCount(0);
  await close.last().click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(KEPT_TEXT)).toHaveCount(1);
});

test("a dialog that opens again focuses the field that the server refused", async ({
  page,
  site,
}) => {
  const closed = Promise.withResolvers<void>();
  const errors = { gender: ["성별을 선택해 주세요."] };
  await page.route(FORM_URLS, (route) =>
    closed.promise.then(() =>
      route.fulfill({ status: 400, json: { success: false, message: "다시", errors } }),
    ),
  );
  const dialog = await openDialog(page, site.url);
  await fillForm(dialog);
  await dialog.locator("[type=submit]").click();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  closed.resolve();
  await expect(dialog.locator("[name=gender]").first()).toBeFocused();
});

test("a dialog shows that its application was deleted or refused", async ({
  page,
  site,
  context,
}) => {
  const dialog = await openDialogWithKept(page, site.url, "삭제여주");
  await deleteKept(context, site.url);
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect(dialog.getByLabel("이름")).toHaveValue("");
  await fillForm(dialog, { name: "거절여주" });
  await dialog.locator("[type=submit]").click();
  await expect(dialog.getByRole("alert")).toContainText("보관했습니다");
  await refusePhone(page);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(dialog.getByRole("alert")).toContainText("전화번호를 다시 적어 주세요.");
  await expect(dialog.getByLabel("전화번호")).toHaveAttribute("aria-invalid", "true");
  await expect(dialog.getByLabel("전화번호")).toBeFocused();
  await expect(dialog.getByLabel("이름")).toHaveValue("거절여주");
  // The link adds a history entry, so that only the second step back closes the dialog.
  await dialog.getByRole("link", { name: "전화번호를 다시 적어 주세요." }).click();
  await page.goBack();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(`${site.url}/`);
});

test("고치기 in the panel returns a kept application to the form", async ({ page, site }) => {
  const form = await openContactWithKept(page, site.url, "되돌린여주");
  await form.getByRole("button", { name: "고치기" }).press("Enter");
  await expect(form.getByRole("heading", { name: "연수 신청서" })).toBeFocused();
  await expect(form.getByLabel("이름")).toHaveValue("되돌린여주");
  await expect(form.getByText(UNSENT_TEXT)).toBeInViewport();
  expect(await page.evaluate(readDatabases)).toEqual([]);
  await page.reload();
  await expect(form.getByLabel("이름")).toHaveValue("되돌린여주");
});

test("an open dialog closes with a toast when its kept application arrives", async ({
  page,
  site,
  twilio,
}) => {
  await recordAnnouncements(page);
  const dialog = await openDialogWithKept(page, site.url, "열린여주");
  await expect(dialog.getByRole("alert")).toContainText(WHEN_SENT_TEXT);
  // A modal dialog makes the toast's live region inert, so the toast must come after the event `close`.
  const order = await dialog.evaluateHandle((element, text) => {
    const events: string[] = [];
    document.addEventListener("close", () => events.push("close"), true);
    new MutationObserver(() => {
      if (element.nextElementSibling?.textContent?.includes(text)) events.push("toast");
    }).observe(document, { childList: true, subtree: true });
    return events;
  }, TOAST[1]);
  await page.unroute(FORM_URLS);
  // The event `online` makes the page retry at once.
  await page.evaluate(() => dispatchEvent(new Event("online")));
  const toast = shownReceipt(page);
  await expect(toast).toContainText(/[2-9A-Z]{4}-[2-9A-Z]{4}/);
  await expect(dialog).toBeHidden();
  expect((await order.jsonValue())[0]).toBe("close");
  await expectTextedOnce(twilio, "열린여주");
  const receipt = page.getByRole("region", { name: RECEIVED_TEXT });
  await expect(receipt).toHaveCount(0);
  const opener = page.getByRole("link", { name: "신청서 쓰기", exact: true });
  await expect(opener).toBeInViewport();
  const box = await opener.boundingBox();
  const over = await toast.locator("> *").boundingBox();
  expect((over?.y ?? 0) + (over?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
  await toast.getByRole("button", { name: "닫기" }).press("Enter");
  await expect(opener).toBeFocused();
  await expect(receipt).toBeVisible();
  expect(await listAnnouncements(page, RECEIVED_TEXT)).toEqual([]);
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
