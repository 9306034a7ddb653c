import type { Browser, Locator, Page } from "@playwright/test";
import { pagePaths } from "#lib/content/pages.ts";
import { fillByHand, fillForm, openContact, openDialog, VALUES } from "#testing/form.ts";
import { Site } from "#testing/site.ts";
import { expect, test } from "#testing/test.ts";

const REGISTRATION = "등록 자동차운전학원";
const NUMBER = "제12호";
const PROMISE = "보통 두 시간 안에 전화드립니다.";

const receiptOf = (page: Page) => page.getByRole("region", { name: "접수되었습니다" });

/** The places where a visitor of this site may read what its owner states, with their words. */
async function placesOf(page: Page, browser: Browser, url: string): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  const note = async (place: string, at: Locator) => {
    places.set(place, (await at.textContent()) ?? "");
  };

  const dialog = await openDialog(page, url);
  const form = dialog.locator("form");
  await note("above the dialog's button", form);
  await fillForm(dialog, { name: "약속여주" });
  await form.locator("[type=submit]").click();
  const toast = page.getByRole("status").filter({ hasText: "성공적으로 접수되었습니다" });
  await note("toast", toast);
  await toast.getByRole("button", { name: "닫기" }).click();
  await note("receipt", receiptOf(page));

  const contact = await openContact(page, url);
  await note("contact", contact.locator("header"));
  await note("above the contact form's button", contact.locator("form"));
  await fillForm(contact, { name: "약속여주" });
  await contact.locator("form [type=submit]").click();
  // The panel stays for whoever is on one of its buttons.
  await contact.getByRole("button", { name: "이 화면 계속 보기" }).focus();
  await note("panel", contact);

  const context = await browser.newContext({ javaScriptEnabled: false, locale: "ko-KR" });
  const plain = await context.newPage();
  const answer = await plain.request.post(`${url}/api/mail/training-application`, {
    form: { ...VALUES, name: "" },
    maxRedirects: 0,
  });
  await plain.goto(url + answer.headers().location);
  await note("correction without script", plain.locator("main form"));
  await fillByHand(plain.locator("main"), { name: "약속여주" });
  await plain.getByRole("button", { name: "신청서 보내기" }).click();
  await expect(plain.getByRole("heading", { level: 1 })).toContainText("접수되었습니다");
  await note("receipt without script", plain.locator("main"));
  await context.close();
  return places;
}

test("what the owner states stands above every form's button and in every receipt, and nowhere without the setting", async ({
  page,
  browser,
  site,
}) => {
  const settings = { ACADEMY_REGISTRATION: NUMBER, CALLBACK_PROMISE: PROMISE };
  const stated = await Site.start(settings);
  try {
    const places = await placesOf(page, browser, stated.url);
    const named = (words: string) => [...places].filter(([, text]) => text.includes(words));
    expect(named(`${REGISTRATION} ${NUMBER}`).map(([place]) => place)).toEqual([
      "above the dialog's button",
      "above the contact form's button",
      "correction without script",
    ]);
    expect(named(PROMISE).map(([place]) => place)).toEqual([
      "toast",
      "receipt",
      "contact",
      "panel",
      "receipt without script",
    ]);
    for (const [place, text] of named(NUMBER))
      expect(text.indexOf(NUMBER), place).toBeLessThan(text.indexOf("신청서 보내기"));
  } finally {
    await stated.stop();
  }
  for (const path of pagePaths) {
    const html = await (await fetch(site.url + path)).text();
    expect(html, path).not.toContain(REGISTRATION);
    expect(html, path).not.toContain("전화드립니다");
  }
});
