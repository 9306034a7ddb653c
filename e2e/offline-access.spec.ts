import type { Page } from "@playwright/test";
import { announced, listen } from "#testing/announcements.ts";
import { loadedWhenIdle } from "#testing/come-to-life.ts";
import { API, fillForm, openContact, SUMMARY, VALUES } from "#testing/form.ts";
import { focusedName, tabStops } from "#testing/tab-stops.ts";
import { expect, expectAccessible, test } from "#testing/test.ts";

/** An application that waits on the device, seen from another page. */
async function keepOne(page: Page, url: string) {
  const form = await openContact(page, url);
  await fillForm(form);
  await loadedWhenIdle(page);
  await page.context().setOffline(true);
  await form.locator("[type=submit]").click();
  await expect(form.getByRole("heading", { name: /보관했습니다/ })).toBeFocused();
  return form;
}

test.beforeEach(({ quiet }) => {
  quiet(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
});

test("what waits is announced once on every page, and its ways are reached before the content", async ({
  page,
  site,
}) => {
  await keepOne(page, site.url);
  expect(await tabStops(page, 3)).toEqual(["이 화면 계속 보기", "문자로 보내기", "내용 복사"]);
  // The panel waits for whoever is on one of its buttons.
  await expectAccessible(page);

  await page.route(API, (route) => route.fulfill({ status: 503, body: "" }));
  await page.context().setOffline(false);
  await page.goto(`${site.url}/gallery`);
  const status = page.getByRole("status").filter({ hasText: "아직 보내지 못한" });
  // Nothing runs here once the tab is closed.
  await expect(status).toContainText("이 사이트를 다시 여시면 보냅니다.");
  await expect(status).toContainText(SUMMARY);
  await expectAccessible(page);
  await status.getByRole("button", { name: "지금 보내기" }).focus();
  expect(await tabStops(page, 2)).toEqual(["문자로 보내기", "삭제"]);
  await page.keyboard.press("Enter");
  expect(await focusedName(page)).toBe("삭제하기");
  await expectAccessible(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  // Not deleted: back where it was asked.
  expect(await focusedName(page)).toBe("삭제");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(status).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
});

test("what waits is told in one place: at the form while the visitor is there, elsewhere at the top", async ({
  page,
  site,
}) => {
  await listen(page);
  await page.route(API, (route) =>
    route.fulfill({ status: 503, headers: { "Retry-After": "600" }, body: "" }),
  );
  const form = await openContact(page, site.url);
  await fillForm(form);
  await page.clock.install();
  await form.locator("[type=submit]").press("Enter");
  await expect(form.getByRole("heading", { name: /보관했습니다/ })).toBeFocused();
  const waits = page.getByText("아직 보내지 못한 신청서가");
  // The panel tells of it, and the focus on its heading says so.
  await expect(waits).toHaveCount(0);
  await page.mouse.click(5, 5);
  await page.clock.runFor(5_000);
  await expect(form.getByRole("heading", { name: "연수 신청서" })).toBeVisible();
  await expect(form.getByLabel("이름")).toHaveValue("");
  await expectAccessible(page);
  await expect(waits).toHaveCount(1);
  const notice = form.getByRole("status").filter({ has: waits });
  await expect(notice).toContainText(/임시 번호 OFFLINE-\d{13}/);
  expect(await announced(page, "아직 보내지 못한")).toEqual([]);
  await notice.getByRole("button", { name: "지금 보내기" }).focus();
  expect(await tabStops(page, 2)).toEqual(["문자로 보내기", "삭제"]);

  await page.locator('#footer-navigation a[href="/gallery"]').click();
  await expect(page).toHaveURL(/gallery/);
  await expect(waits).toHaveCount(1);
  await expect(page.getByRole("main").filter({ has: waits })).toHaveCount(0);
  expect(await announced(page, "아직 보내지 못한")).toHaveLength(1);
});

test("an application that is sent while the visitor is at the form is told there, once", async ({
  page,
  site,
}) => {
  await listen(page);
  await page.route(API, (route) => route.fulfill({ status: 503, body: "" }));
  const form = await openContact(page, site.url);
  await fillForm(form);
  await page.clock.install();
  await form.locator("[type=submit]").press("Enter");
  await expect(form.getByRole("heading", { name: /보관했습니다/ })).toBeFocused();
  await page.mouse.click(5, 5);
  await page.clock.runFor(5_000);
  const now = form.getByRole("button", { name: "지금 보내기" });
  await expect(now).toBeVisible();
  await page.unroute(API);
  await now.press("Enter");
  const sent = page.getByText("보관했던 신청서가 접수되었습니다");
  await expect(sent).toHaveCount(1);
  const notice = form.getByRole("status").filter({ has: sent });
  await expect(notice).toContainText(/접수번호 [2-9A-Z]{4}-[2-9A-Z]{4}/);
  expect(await announced(page, "보관했던 신청서가 접수되었습니다")).toHaveLength(1);
  await expectAccessible(page);
  await notice.getByRole("button", { name: "닫기" }).press("Enter");
  await expect(form.getByRole("heading", { name: "연수 신청서" })).toBeFocused();
  await expect(sent).toHaveCount(0);
});

test("that it was sent is announced with its number, and can be closed", async ({ page, site }) => {
  await keepOne(page, site.url);
  await page.goto("about:blank");
  await page.context().setOffline(false);
  await page.goto(`${site.url}/privacy`);
  const status = page.getByRole("status").filter({ hasText: "보관했던 신청서가 접수되었습니다" });
  await expect(status).toContainText(/접수번호 [2-9A-Z]{4}-[2-9A-Z]{4}/);
  await expectAccessible(page);
  await status.getByRole("button", { name: "닫기" }).press("Enter");
  await expect(status).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
  await page.reload();
  await expect(page.getByText("보관했던 신청서가 접수되었습니다")).toHaveCount(0);
});

test("a failure in the dialog is announced, with the text message to read and copy by hand", async ({
  page,
  site,
}) => {
  // As an in-app browser may be: no new windows, no dialogs, no clipboard.
  await page.addInitScript(() => {
    const fail = () => {
      throw new Error("not in this browser");
    };
    Object.assign(window, { open: fail, alert: fail, confirm: fail, prompt: fail });
    Object.defineProperty(navigator, "clipboard", { get: () => undefined });
  });
  await page.route(API, (route) => route.fulfill({ status: 500, body: "" }));
  await page.goto(site.url);
  await page.getByRole("link", { name: "신청하기", exact: true }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "연수 신청서" });
  await expect(dialog.getByLabel("이름")).toBeFocused();
  await fillForm(dialog);
  await dialog.locator("[type=submit]").press("Enter");
  const alert = dialog.getByRole("alert");
  await expect(alert).toContainText("연수 신청 처리 중 오류가 발생했습니다. 다시 시도해 주세요.");
  await expect(alert).toContainText("010-0000-0000 번호로");
  await expect(alert).toContainText(SUMMARY);
  await expect(dialog.locator("[type=submit]")).toBeFocused();
  await expectAccessible(page);
  await alert.getByRole("button", { name: "내용 복사" }).press("Enter");
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(
    `이름: ${VALUES.name}\n${SUMMARY}\n남기실 말씀: ${VALUES.message}`,
  );
  await expect(alert.getByRole("status")).toContainText("선택했습니다");

  await page.unroute(API);
  await dialog.locator("[type=submit]").press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("link", { name: "신청하기", exact: true })).toBeFocused();
  const toast = page.getByRole("status").filter({ hasText: "성공적으로 접수되었습니다" });
  await expect(toast).toContainText(/[2-9A-Z]{4}-[2-9A-Z]{4}/);
});
