import { dateWithWeekday, seoulDate } from "#lib/application/seoul-time.ts";
import { visitorTextMessage } from "#lib/application/summary.ts";
import { RECORD_DAYS } from "#lib/content/on-device.ts";
import { findAnnouncements, recordAnnouncements } from "#testing/browser/announcements.ts";
import { findOnDevice } from "#testing/browser/device-storage.ts";
import { eventually } from "#testing/browser/eventually.ts";
import {
  dialogToast,
  FORM_URLS,
  fillForm,
  openContact,
  PERSONAL_DATA,
  recordPosts,
  SAMPLE_VALUES,
  SUMMARY,
} from "#testing/browser/form.ts";
import {
  expectTextedOnce,
  failServer,
  openContactWithQueued,
  openDialogWithQueued,
  QUEUED_TEXT,
  RECEIVED_TEXT,
} from "#testing/browser/queued-application.ts";
import { readTabStops } from "#testing/browser/tab-stops.ts";
import { CALLBACK_PROMISE, expect, expectAccessible, test } from "#testing/browser/test.ts";
import { waitForIdleScripts } from "#testing/browser/wait-for-hydration.ts";

test.beforeEach(({ quiet }) => quiet(/Failed to load resource/));

test("the keyboard reaches every action of a notice", async ({ page, site, context }) => {
  await openContactWithQueued(page, site.url, SAMPLE_VALUES.name);
  expect(await readTabStops(page, 3)).toEqual(["이 화면 계속 보기", "문자로 보내기", "내용 복사"]);
  await expect(page.getByText(CALLBACK_PROMISE)).toHaveCount(1);
  await expectAccessible(page);
  await page.goto(`${site.url}/gallery`);
  const status = page.getByRole("status").filter({ hasText: QUEUED_TEXT });
  // The tests block service workers, so that only the next visit sends the application.
  await expect(status).toContainText("같은 앱에서 이 사이트를 다시 열 때 보냅니다.");
  await expect(status).toContainText(SUMMARY);
  const [, queuedAt] = /OFFLINE-(\d+)/.exec((await status.textContent()) ?? "") ?? [];
  const lastDay = seoulDate(Number(queuedAt) + RECORD_DAYS * 86_400_000);
  await expect(status).toContainText(`${dateWithWeekday(lastDay)}에 이 기기에서 삭제합니다.`);
  await expectAccessible(page);
  await status.getByRole("button", { name: "지금 보내기" }).focus();
  expect(await readTabStops(page, 1)).toEqual(["자세히"]);
  await page.keyboard.press("Enter");
  expect(await readTabStops(page, 2)).toEqual(["문자로 보내기", "삭제"]);
  await page.keyboard.press("Enter");
  await expectAccessible(page);
  const other = await context.newPage();
  await failServer(other);
  await other.goto(`${site.url}/pricing`);
  await expect(other.getByText(QUEUED_TEXT)).toBeVisible();
  await page.bringToFront();
  expect(await readTabStops(page, 1)).toEqual(["삭제하기"]);
  await page.keyboard.press("Enter");
  await expect(status).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
  await expect(other.getByText(QUEUED_TEXT)).toHaveCount(0);
  await eventually(() => findOnDevice(page, [SAMPLE_VALUES.phone])).toEqual([]);
});

test("a queued application is shown exactly once on each page", async ({ page, site }) => {
  await recordAnnouncements(page);
  await failServer(page);
  const form = await openContact(page, site.url);
  await fillForm(form);
  await page.clock.install();
  // The panel stays while the clock stands still.
  await page.clock.pauseAt(Date.now() + 60_000);
  await form.locator("[type=submit]").press("Enter");
  await expect(form.getByRole("heading", { name: /보관했습니다/ })).toBeFocused();
  const waits = page.getByText(QUEUED_TEXT);
  await expect(waits).toHaveCount(0);
  await page.mouse.click(5, 5);
  // The panel closes, and the page sends again. Playwright does not intercept a request while the page changes.
  let hasRetried = false;
  page.on("response", (response) => {
    if (response.request().method() === "POST") hasRetried = true;
  });
  await eventually(() => page.clock.runFor(1_000).then(() => hasRetried)).toBe(true);
  await page.clock.resume();
  await expect(form.getByRole("heading", { name: "연수 신청서" })).toBeVisible();
  // The click has moved the focus out of the panel, so the panel's end leaves the focus there.
  await expect(page.locator(":focus")).toHaveCount(0);
  await expect(form.getByLabel("이름")).toHaveValue("");
  await expect(waits).toHaveCount(1);
  const notice = form.getByRole("status").filter({ has: waits });
  await expect(notice).toContainText(/임시 번호 OFFLINE-\d{13}/);
  expect(await findAnnouncements(page, QUEUED_TEXT)).toEqual([]);

  const sentAgain = page.waitForResponse(FORM_URLS);
  await page.locator('#footer-navigation a[href="/gallery"]').click();
  await expect(page).toHaveURL(/gallery/);
  await expect(waits).toHaveCount(1);
  await expect(page.getByRole("main").filter({ has: waits })).toHaveCount(0);
  expect(await findAnnouncements(page, QUEUED_TEXT)).toHaveLength(1);
  await sentAgain;

  await page.locator('#footer-navigation a[href^="/contact"]').click();
  const now = notice.getByRole("button", { name: "지금 보내기" });
  await now.press("Enter");
  await expect(notice).toContainText("지금은 보내지 못했습니다. 잠시 뒤 자동으로 다시 보냅니다.");
  await expectAccessible(page);
  await page.unroute(FORM_URLS);
  await now.press("Enter");
  const told = form.getByRole("status").filter({ hasText: RECEIVED_TEXT });
  await expect(told).toContainText(/접수번호 [2-9A-Z]{4}-[2-9A-Z]{4}/);
  expect(await findAnnouncements(page, RECEIVED_TEXT)).toHaveLength(1);
  // The pressed button is gone with its notice, so the focus moves to the new notice.
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
  const dialog = await openDialogWithQueued(page, site.url, "다시여주");
  const alert = dialog.getByRole("alert");
  await expect(alert).toBeFocused();
  await expect(alert).toContainText("010-0000-0000 번호로");
  await expectAccessible(page);
  const text = await alert.getByRole("link", { name: "문자로 신청하기" }).getAttribute("href");
  await alert.getByText("자세히").press("Enter");
  expect(decodeURIComponent(text ?? "")).toContain(SUMMARY);
  await alert.getByRole("button", { name: "내용 복사" }).press("Enter");
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(
    visitorTextMessage({ ...SAMPLE_VALUES, name: "다시여주" }),
  );
  await expect(alert.getByRole("status")).toContainText("선택했습니다");
  await page.unroute(FORM_URLS);
  await expect(dialog.getByRole("button", { name: "닫기", exact: true })).toHaveCount(2);
  const again = dialog.getByRole("button", { name: "다시 보내기" });
  await page.clock.install();
  await again.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("link", { name: "신청서 쓰기", exact: true })).toBeFocused();
  await expect(dialogToast(page)).toBeVisible();
  await page.clock.runFor(10_000);
  await expect(dialogToast(page)).toHaveCount(0);
  expect(posts.length).toBeGreaterThan(1);
  expect(new Set(posts.map((post) => post.headers()["idempotency-key"])).size).toBe(1);
  await expectTextedOnce(twilio, "다시여주");
});

test("a queued application has a notice once its dialog is closed", async ({ page, site }) => {
  await openDialogWithQueued(page, site.url, "되돌이여주");
  await waitForIdleScripts(page);
  const passes = (type: string) =>
    page.evaluate((type) => void dispatchEvent(new Event(type)), type);
  await passes("pagehide");
  await expect(page.getByText(QUEUED_TEXT)).toHaveCount(1);
  await passes("pageshow");
  await expect(page.getByText(QUEUED_TEXT)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page.getByText("아직 보내지 못해")).toBeInViewport();
  await expect(page.getByText(QUEUED_TEXT)).toHaveCount(1);
});

test("a notice reports the deletion of an application after seven days", async ({ page, site }) => {
  await openContactWithQueued(page, site.url, "기한여주");
  expect(await findOnDevice(page, ["기한여주"])).toHaveLength(1);
  // The application expires after seven days, and the notice disappears a day later.
  for (const days of [7, 1]) {
    await page.addInitScript((later) => {
      const now = Date.now;
      Date.now = () => now() + later;
    }, days * 86_400_000);
    // The page stores the record's age before it sends the record.
    const sent = page.waitForResponse(FORM_URLS);
    await page.goto(`${site.url}/pricing`);
    await sent;
    if (days === 7) await expect(page.getByText(QUEUED_TEXT)).toBeVisible();
  }
  const notice = page.getByRole("status").filter({ hasText: "보관 기간(7일)이 지나" });
  await expect(notice).toBeVisible();
  await expectAccessible(page);
  expect(await findOnDevice(page, [...PERSONAL_DATA, "기한여주", SUMMARY])).toEqual([]);
});
