import type { Browser, Page } from "@playwright/test";
import { answerMessages } from "#lib/application/messages.ts";
import { plainCopy } from "#lib/content/copy.ts";
import { formResultCopy } from "#lib/content/form-result.ts";
import { eventually } from "#testing/eventually.ts";
import { fillByHand, SUMMARY, VALUES } from "#testing/form.ts";
import { expect, expectAccessible, test } from "#testing/test.ts";

/** Nothing fixed lies over a form here: without a script a click cannot be checked for what it hits. */
const DESKTOP = { width: 1280, height: 1000 };
const PHONE = { width: 390, height: 844 };

/** A page in a browser that runs no script. */
async function withoutScript(
  browser: Browser,
  use: (page: Page) => Promise<void>,
  viewport = DESKTOP,
) {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport,
    locale: "ko-KR",
  });
  await use(await context.newPage());
  await context.close();
}

/** What the browser itself would not let through, the server must say. */
async function sendWrong(page: Page, url: string, form: "contact" | "dialog") {
  const route = form === "contact" ? "mail" : "sms";
  const answer = await page.request.post(`${url}/api/${route}/training-application`, {
    form: { ...VALUES, name: "", gender: "", age: "17" },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(303);
  await page.goto(url + answer.headers().location);
}

test.describe("without JavaScript", () => {
  test("the contact form reaches the owner, and is answered with a receipt", async ({
    browser,
    site,
    smtp,
  }) => {
    await withoutScript(browser, async (page) => {
      await page.goto(`${site.url}/contact`);
      const form = page.locator("main");
      await fillByHand(form, { name: "무스크립트" });
      await form.getByRole("button", { name: "신청서 보내기" }).click();
      await expect(page).toHaveURL(`${site.url}/contact/result#form-result`);
      const heading = page.getByRole("heading", { level: 1, name: "신청이 접수되었습니다" });
      await expect(heading).toBeFocused();
      await expect(heading).toHaveCSS("outline-style", "none");
      await expect(page.locator("main")).toContainText(SUMMARY);
      const number = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(
        (await page.locator("main dl").textContent()) ?? "",
      )?.[0];
      const mine = () => smtp.mails.filter((mail) => mail.parsed.subject?.includes("무스크립트"));
      await eventually(() => mine().length).toBe(1);
      expect(mine()[0]?.parsed.subject).toContain(number);
    });
  });

  test("the button that opens the dialog leads to the form", async ({ browser, site }) => {
    await withoutScript(browser, async (page) => {
      await page.goto(site.url);
      await page.getByRole("link", { name: "신청하기", exact: true }).click();
      await expect(page).toHaveURL(`${site.url}/contact#form`);
      await expect(page.getByRole("button", { name: "신청서 보내기" })).toBeVisible();
    });
  });

  test("what is wrong with the dialog's form is corrected, and reaches the owner's phone", async ({
    browser,
    site,
    twilio,
  }) => {
    await withoutScript(browser, async (page) => {
      await sendWrong(page, site.url, "dialog");
      const form = page.locator("main");
      await fillByHand(form, { name: "고친문자" });
      await form.getByRole("button", { name: "신청서 보내기" }).click();
      await expect(page.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeVisible();
      const mine = () => twilio.messages.filter(({ body }) => body.includes("고친문자"));
      await eventually(() => mine().length).toBe(1);
    });
  });

  test("a wrong value comes back with a summary that leads to each field, and all else is kept", async ({
    browser,
    site,
    smtp,
  }) => {
    await withoutScript(browser, async (page) => {
      await sendWrong(page, site.url, "contact");
      await expect(page).toHaveTitle(/^오류: /);
      const summary = page.getByRole("alert").filter({ hasText: "접수하지 못했습니다" });
      await expect(summary).toBeFocused();
      const links = summary.getByRole("listitem").getByRole("link");
      await expect(links).toHaveText([/^이름: .+/, /^성별: .+/, /^나이: .+/]);
      for (const [index, field] of ["이름", "남성", "나이"].entries()) {
        await links.nth(index).click();
        const control = page.getByRole("main").getByLabel(field, { exact: true });
        await expect(control).toBeFocused();
      }
      for (const field of ["이름", "나이"]) {
        const control = page.getByRole("main").getByLabel(field);
        await expect(control).toHaveAttribute("aria-invalid", "true");
        await expect(control).toHaveAccessibleDescription(/주세요/);
      }
      const form = page.locator("main");
      await expect(form.getByLabel("나이")).toHaveValue("17");
      await expect(form.getByLabel("전화번호")).toHaveValue(VALUES.phone);
      await expect(form.getByLabel("연수 지역")).toHaveValue(VALUES.region);
      await expect(form.getByLabel("희망 날짜")).toHaveValue(VALUES.preferredDate);
      await expect(form.getByLabel("남기실 말씀")).toHaveValue(VALUES.message);
      for (const chosen of ["주말", "오전", "자차"]) {
        await expect(form.getByRole("radio", { name: chosen, exact: true })).toBeChecked();
      }

      await form.getByLabel("이름").fill("고친메일");
      await form.getByLabel("나이").fill("34");
      await form
        .locator("label")
        .filter({ hasText: /^여성$/ })
        .click();
      await form.getByRole("button", { name: "신청서 보내기" }).click();
      await expect(page.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeVisible();
      const mine = () => smtp.mails.filter((mail) => mail.parsed.subject?.includes("고친메일"));
      await eventually(() => mine().length).toBe(1);
    });
  });

  test("a refusal of any kind is a page with the phone, not JSON", async ({ browser, site }) => {
    await withoutScript(browser, async (page) => {
      await page.goto(`${site.url}/contact`);
      const form = page.locator("main");
      await fillByHand(form, { name: "큰글" });
      await form.getByLabel("남기실 말씀").evaluate((area: HTMLTextAreaElement) => {
        area.removeAttribute("maxlength");
        area.value = "가".repeat(20_000);
      });
      await form.getByRole("button", { name: "신청서 보내기" }).click();
      const summary = page.getByRole("alert").filter({ hasText: answerMessages.tooLarge });
      await expect(summary).toBeVisible();
      await expect(summary.locator("a[href^='tel:']")).toBeVisible();
    });
  });

  test("a result that is over says so with the phone, and one that never was is the 404 page", async ({
    browser,
    site,
  }) => {
    await withoutScript(browser, async (page) => {
      for (const [path, status, heading] of [
        ["/contact/result", 200, plainCopy(formResultCopy.goneTitle)],
        ["/contact/result/no-such-result", 404, "없는 길입니다"],
      ] as const) {
        const answer = await page.goto(site.url + path);
        expect(answer?.status()).toBe(status);
        await expect(page.getByRole("heading", { level: 1 })).toContainText(heading);
        await expect(page.locator("main a[href^='tel:']")).toBeVisible();
      }
    });
  });

  test("the menu opens and leads on, and a gallery card shows its picture", async ({
    browser,
    site,
  }) => {
    await withoutScript(
      browser,
      async (page) => {
        await page.goto(site.url);
        await page.getByRole("button", { name: "메뉴 열기" }).click();
        const menu = page.locator("#site-menu");
        await expect(menu.getByRole("link", { name: /갤러리/ })).toBeVisible();
        await page.keyboard.press("Escape");
        await expect(menu).toBeHidden();
        await page.getByRole("button", { name: "메뉴 열기" }).click();
        await menu.getByRole("link", { name: /갤러리/ }).click();
        await expect(page).toHaveURL(`${site.url}/gallery`);
        const card = page.locator("main a[aria-haspopup=dialog]").first();
        const picture = await card.getAttribute("href");
        const answer = await page.request.get(site.url + picture);
        expect(answer.status()).toBe(200);
        expect(answer.headers()["content-type"]).toMatch(/^image\//);
      },
      PHONE,
    );
  });
});

test("what answers a form that was refused is accessible, whatever it was refused for", async ({
  page,
  site,
}) => {
  await sendWrong(page, site.url, "contact");
  await expectAccessible(page);
  const refusals = [
    { message: "가".repeat(20_000), says: answerMessages.tooLarge },
    { headers: { "sec-fetch-site": "cross-site" }, says: answerMessages.crossSite },
  ];
  for (const { message = "", headers = {}, says } of refusals) {
    await page.request.post(`${site.url}/api/mail/training-application`, {
      form: { ...VALUES, message },
      headers,
      maxRedirects: 0,
    });
    await page.goto(`${site.url}/contact/result`);
    await expect(page.getByRole("alert").filter({ hasText: says })).toBeVisible();
    await expectAccessible(page);
  }
});

test("a form whose script did not load is sent all the same", async ({
  page,
  site,
  smtp,
  quiet,
}) => {
  quiet(/Failed to load resource/);
  await page.route("**/*.js", (route) => route.abort());
  await page.goto(`${site.url}/contact`);
  const form = page.locator("main");
  await fillByHand(form, { name: "끊긴여주" });
  await form.getByRole("button", { name: "신청서 보내기" }).click();
  await expect(page.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeVisible();
  await expectAccessible(page);
  const mine = () => smtp.mails.filter((mail) => mail.parsed.subject?.includes("끊긴여주"));
  await eventually(() => mine().length).toBe(1);
  await page.context().clearCookies();
  await page.reload();
  await expect(
    page.getByRole("heading", { name: plainCopy(formResultCopy.goneTitle) }),
  ).toBeVisible();
  await expectAccessible(page);
});
