import { composeApplicationTextMessage } from "#lib/application/summary.ts";
import { keptBoxTexts } from "#lib/content/kept-box.ts";
import { listAnnouncements, recordAnnouncements } from "#testing/browser/announcements.ts";
import { findOnDevice } from "#testing/browser/device-storage.ts";
import { eventually } from "#testing/browser/eventually.ts";
import {
  FORM_URLS,
  fillForm,
  openContact,
  recordPosts,
  SAMPLE_VALUES,
  SUMMARY,
  shownReceipt,
} from "#testing/browser/form.ts";
import {
  answerDialogs,
  expectTextedOnce,
  failServer,
  KEPT_TEXT,
  openContactWithKept,
  openDialogWithKept,
  RECEIVED_TEXT,
  WHEN_SENT_TEXT,
} from "#testing/browser/kept-application.ts";
import { collectTabStops } from "#testing/browser/tab-stops.ts";
import { CALLBACK_PROMISE, expect, expectAccessible, test } from "#testing/browser/test.ts";

test.beforeEach(({ quiet }) => quiet(/Failed to load resource/));

test("the keyboard reaches every action of a notice box", async ({ page, site, context }) => {
  await openContactWithKept(page, site.url, SAMPLE_VALUES.name);
  expect(await collectTabStops(page, 4)).toEqual([
    "이 화면 계속 보기",
    "문자로 보내기",
    "고치기",
    "접기",
  ]);
  await expect(page.getByText(CALLBACK_PROMISE)).toHaveCount(1);
  await expectAccessible(page);
  await page.goto(`${site.url}/gallery`);
  const status = page.getByRole("status").filter({ hasText: KEPT_TEXT });
  // The tests block service workers, so nothing is sent while no page of the site is shown.
  await expect(status).toContainText(WHEN_SENT_TEXT);
  await expect(status).toContainText(SUMMARY);
  await expectAccessible(page);
  await status.getByRole("button", { name: "지금 보내기" }).focus();
  expect(await collectTabStops(page, 4)).toEqual(["고치기", "문자로 보내기", "삭제", "자세히"]);
  await page.keyboard.press("Shift+Tab");
  const other = await context.newPage();
  await failServer(other);
  await other.goto(`${site.url}/pricing`);
  await expect(other.getByText(KEPT_TEXT)).toBeVisible();
  await page.bringToFront();
  let isSure = false;
  const questions = answerDialogs(page, () => isSure);
  await page.keyboard.press("Enter");
  await expect(status).toHaveCount(1);
  isSure = true;
  await page.keyboard.press("Enter");
  await expect(status).toHaveCount(0);
  expect(questions).toEqual([keptBoxTexts.removeAsk, keptBoxTexts.removeAsk]);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
  await expect(other.getByText(KEPT_TEXT)).toHaveCount(0);
  await eventually(() => findOnDevice(page, [SAMPLE_VALUES.phone])).toEqual([]);
});

test("a kept application is shown exactly once on each page", async ({ page, site }) => {
  await recordAnnouncements(page);
  await failServer(page);
  const form = await openContact(page, site.url);
  await fillForm(form);
  await page.clock.install();
  // Stops the clock, so that the panel stays open.
  await page.clock.pauseAt(Date.now() + 60_000);
  await form.locator("[type=submit]").press("Enter");
  await expect(form.getByRole("heading", { name: /보관했습니다/ })).toBeFocused();
  const waits = page.getByText(KEPT_TEXT);
  await expect(waits).toHaveCount(0);
  await page.mouse.click(5, 5);
  // Waits until the panel has closed and the page has repeated its request. Playwright could not intercept a repeat
  // while the link below changes the page.
  let hasRetried = false;
  page.on("response", (response) => {
    if (response.request().method() === "POST") hasRetried = true;
  });
  await eventually(() => page.clock.runFor(1_000).then(() => hasRetried)).toBe(true);
  await page.clock.resume();
  await expect(form.getByRole("heading", { name: "연수 신청서" })).toBeVisible();
  // The click has taken the focus from the panel, so the closing panel must not set the focus.
  await expect(page.locator(":focus")).toHaveCount(0);
  await expect(form.getByLabel("이름")).toHaveValue("");
  await expect(waits).toHaveCount(1);
  const noticeBox = form.getByRole("status").filter({ has: waits });
  expect(await listAnnouncements(page, KEPT_TEXT)).toEqual([]);

  const sentAgain = page.waitForResponse(FORM_URLS);
  await page.locator('#footer-navigation a[href="/gallery"]').click();
  await expect(page).toHaveURL(/gallery/);
  await expect(waits).toHaveCount(1);
  await expect(page.getByRole("main").filter({ has: waits })).toHaveCount(0);
  expect(await listAnnouncements(page, KEPT_TEXT)).toHaveLength(1);
  await sentAgain;

  await page.locator('#footer-navigation a[href^="/contact"]').click();
  const now = noticeBox.getByRole("button", { name: "지금 보내기" });
  await now.press("Enter");
  await expect(noticeBox).toContainText("지금은 보내지 못했습니다.");
  await expectAccessible(page);
  await page.unroute(FORM_URLS);
  await now.press("Enter");
  const told = form.getByRole("status").filter({ hasText: RECEIVED_TEXT });
  await expect(told).toContainText(/접수번호 [2-9A-Z]{4}-[2-9A-Z]{4}/);
  expect(await listAnnouncements(page, RECEIVED_TEXT)).toHaveLength(1);
  // The pressed button is gone with its notice box, so the focus moves to the new notice box.
  await expect(page.locator(":focus")).toContainText(RECEIVED_TEXT);
  await expectAccessible(page);
  await told.getByRole("button", { name: "닫기" }).press("Enter");
  await expect(form.getByRole("heading", { name: "연수 신청서" })).toBeFocused();
  await expect(page.getByText(RECEIVED_TEXT)).toHaveCount(0);
});

test("a failed submission can be texted, copied or resent", async ({ page, site, twilio }) => {
  // The test removes the clipboard, which in-app browsers lack.
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "clipboard", { get: () => undefined }),
  );
  const posts = recordPosts(page);
  const dialog = await openDialogWithKept(page, site.url, "다시여주");
  const alert = dialog.getByRole("alert");
  await expect(alert).toBeFocused();
  await expect(alert).toContainText("010-0000-0000 번호로");
  await expectAccessible(page);
  const text = await alert.getByRole("link", { name: "문자로 신청하기" }).getAttribute("href");
  await alert.locator("summary").press("Enter");
  await expect(alert.locator("summary")).toHaveText("접기", { useInnerText: true });
  expect(decodeURIComponent(text ?? "")).toContain(SUMMARY);
  await alert.getByRole("button", { name: "내용 복사" }).press("Enter");
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(
    composeApplicationTextMessage({ ...SAMPLE_VALUES, name: "다시여주" }),
  );
  await expect(alert.getByRole("status")).toContainText("선택했습니다");
  await page.unroute(FORM_URLS);
  await expect(dialog.getByRole("button", { name: "닫기", exact: true })).toHaveCount(2);
  const again = dialog.getByRole("button", { name: "다시 보내기" });
  await page.clock.install();
  await again.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("link", { name: "신청서 쓰기", exact: true })).toBeFocused();
  await expect(shownReceipt(page)).toBeVisible();
  await page.clock.runFor(10_000);
  await expect(shownReceipt(page)).toHaveCount(0);
  expect(posts.length).toBeGreaterThan(1);
  expect(new Set(posts.map((post) => post.headers()["idempotency-key"])).size).toBe(1);
  await expectTextedOnce(twilio, "다시여주");
});
