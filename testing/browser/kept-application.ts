import { expect, type Locator, type Page } from "@playwright/test";
import { REFUSAL_HEADER } from "#lib/application/response-body.ts";
import { receiptTexts } from "#lib/content/application-result.ts";
import { eventually } from "#testing/browser/eventually.ts";
import { FORM_URLS, fillForm, openContact, openDialog, SUMMARY } from "#testing/browser/form.ts";
import type { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import type { TwilioPeer } from "#testing/peers/twilio-peer.ts";

export const RECEIVED_TEXT = receiptTexts.title;
export const KEPT_TEXT = "아직 보내지 못한 신청서가";
/** Part of the sentence that says when an application is sent if its page has been closed. */
export const WHEN_SENT_TEXT =
  "일주일 안에 같은 앱에서 이 사이트를 한 번 더 열어 주세요. 늦어도 그때는 보냅니다.";

export const REFUSED_HEADERS = { [REFUSAL_HEADER]: "true" };

export async function failServer(page: Page): Promise<void> {
  await page.route(FORM_URLS, (route) => route.fulfill({ status: 503, body: "" }));
}

export async function refusePhone(page: Page): Promise<void> {
  const errors = { phone: ["전화번호를 다시 적어 주세요."] };
  await page.route(FORM_URLS, (route) =>
    route.fulfill({
      status: 400,
      headers: REFUSED_HEADERS,
      json: { success: false, message: "다시", errors },
    }),
  );
}

/**
 * Ends the page's waiting timers, and drops new intervals and new timeouts of 5 s and more. On a busy machine no panel
 * or toast then closes before the test has read its text, and no timer retries between two steps. The function runs in
 * the page.
 */
export function stopTimers(): void {
  const { setTimeout } = globalThis;
  for (let id = Number(setTimeout(() => undefined)); id > 0; id--) clearTimeout(id);
  const setShortTimeout = (...timer: Parameters<typeof setTimeout>) =>
    (timer[1] ?? 0) < 5_000 ? setTimeout(...timer) : 0;
  Object.assign(globalThis, { setTimeout: setShortTimeout, setInterval: () => 0 });
}

export async function openDialogWithKept(page: Page, url: string, name: string) {
  await failServer(page);
  const dialog = await openDialog(page, url);
  await fillForm(dialog, { name });
  await page.evaluate(stopTimers);
  await dialog.locator("[type=submit]").click();
  await expect(dialog.getByRole("alert")).toContainText("오류가 발생했습니다");
  return dialog;
}

/** Fills in and submits the contact form while nothing can be sent. */
export async function submitIntoOutbox(form: Locator, name: string): Promise<void> {
  await fillForm(form, { name });
  await form.locator("[type=submit]").click();
  await expect(form.getByRole("heading", { name: /이 기기에\s*보관했습니다/ })).toBeFocused();
}

export async function openContactWithKept(page: Page, url: string, name: string) {
  const form = await openContact(page, url);
  await failServer(page);
  await page.evaluate(stopTimers);
  await submitIntoOutbox(form, name);
  await expect(form).toContainText(/OFFLINE-\d{13}/);
  await expect(form).toContainText(SUMMARY);
  const sentence = form.getByRole("heading", { name: /보관했습니다/ }).locator("+ p");
  await expect(sentence).toContainText(WHEN_SENT_TEXT);
  await expect(form).not.toContainText("접수되었습니다");
  return form;
}

export function listMails({ mails }: SmtpPeer, name: string) {
  return mails.filter(({ parsed }) => parsed.subject?.includes(name));
}

export function listTexts({ messages }: TwilioPeer, name: string) {
  return messages.filter(({ body }) => body.includes(name));
}

export async function expectMailedOnce(smtp: SmtpPeer, name: string): Promise<void> {
  await eventually(() => listMails(smtp, name).length).toBe(1);
}

export async function expectTextedOnce(twilio: TwilioPeer, name: string): Promise<void> {
  await eventually(() => listTexts(twilio, name).length).toBe(1);
}

/** Answers the dialogs that the browser itself shows. Returns a list to which the text of each one is added. */
export function answerDialogs(page: Page, isAccepted: () => boolean): string[] {
  const questions: string[] = [];
  page.on("dialog", (question) => {
    questions.push(question.message());
    return isAccepted() ? question.accept() : question.dismiss();
  });
  return questions;
}
