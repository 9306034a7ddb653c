import type { Page } from "@playwright/test";
import { responseMessages } from "#lib/application/messages.ts";
import { formResultTexts } from "#lib/content/form-result.ts";
import { plainText } from "#lib/content/text-notation.ts";
import {
  fillByHand,
  readValues,
  SAMPLE_CONTROL_VALUES,
  SAMPLE_VALUES,
  SUMMARY,
  shownReceipt,
} from "#testing/browser/form.ts";
import {
  expectMailedOnce,
  expectTextedOnce,
  listMails,
} from "#testing/browser/kept-application.ts";
import {
  ACADEMY_REGISTRATION_PATTERN,
  CALLBACK_PROMISE,
  expect,
  expectAccessible,
  test,
} from "#testing/browser/test.ts";
import { waitForHydration } from "#testing/browser/wait-for-hydration.ts";
import { extractApplicationNumber } from "#testing/site/application-numbers.ts";
import { ROUTE_PATHS } from "#testing/site/client.ts";

/** A message that would end the page's inline script if the page did not escape the message. */
const HOSTILE = "</script><img src=x onerror=alert(1)>";

/** Posts invalid values directly, because a browser would not submit them. */
async function submitInvalidValues(page: Page, url: string, route: keyof typeof ROUTE_PATHS) {
  const answer = await page.request.post(url + ROUTE_PATHS[route], {
    form: { ...SAMPLE_VALUES, name: "", gender: "", age: "17", message: HOSTILE },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(303);
  await page.goto(url + answer.headers().location);
}

test.describe("without JavaScript", () => {
  // A phone's bottom bar would receive clicks on the controls under the bar, so the window is wide.
  test.use({ javaScriptEnabled: false, viewport: { width: 1280, height: 1000 } });

  test("a form without JavaScript is answered by a receipt [39]", async ({ page, site, smtp }) => {
    await page.goto(site.url);
    await page.getByRole("link", { name: "신청서 쓰기", exact: true }).click();
    await expect(page).toHaveURL(`${site.url}/contact#form`);
    const form = page.locator("main");
    // A chip needs JavaScript.
    await expect(form.getByRole("button", { name: "SUV 희망" })).toBeHidden();
    await fillByHand(form, { name: "무스크립트" });
    // The receipt is longer than this window, so the page has to scroll to the heading.
    await page.setViewportSize({ width: 390, height: 600 });
    await form.getByRole("button", { name: "신청서 보내기" }).press("Enter");
    await expect(page).toHaveURL(`${site.url}/contact/result#form-result`);
    const heading = shownReceipt(page);
    await expect(heading).toBeFocused();
    await expect(heading).toHaveCSS("outline-style", "none");
    const [bar, title] = [
      await page.getByRole("banner").boundingBox(),
      await heading.boundingBox(),
    ];
    expect(title?.y).toBeGreaterThanOrEqual(bar?.height ?? Number.NaN);
    await expect(form).toContainText(SUMMARY);
    await expect(form).toContainText(SAMPLE_VALUES.message.split("\n")[0] ?? "");
    await expect(form.getByRole("heading", { name: /신청서 쓰기 완료/ })).toBeVisible();
    for (const [name, path] of [
      ["연수 비용", "/pricing"],
      ["홈", "/"],
    ] as const)
      await expect(form.getByRole("link", { name })).toHaveAttribute("href", path);
    await expect(form).toContainText(CALLBACK_PROMISE);
    await expect(form.getByRole("button")).toHaveCount(0);
    const number = extractApplicationNumber(await form.locator("dl").textContent());
    await expectMailedOnce(smtp, "무스크립트");
    expect(listMails(smtp, "무스크립트")[0]?.parsed.subject).toContain(number);
  });

  test("the error summary links to the invalid fields", async ({ page, site, twilio }) => {
    await submitInvalidValues(page, site.url, "sms");
    await expect(page).toHaveTitle(/^오류: /);
    expect(await (await page.request.get(page.url())).text()).not.toContain(HOSTILE);
    const summary = page.getByRole("alert").filter({ hasText: "접수하지 못했습니다" });
    await expect(summary).toBeFocused();
    const links = summary.getByRole("listitem").getByRole("link");
    await expect(links).toHaveText([/^이름.+/, /^성별.+/, /\d+세부터.+나이/]);
    const form = page.locator("main");
    await expect(form.locator("form")).toHaveText(ACADEMY_REGISTRATION_PATTERN);
    // `novalidate` keeps out the browser's own messages, which may be in another language.
    await expect(form.locator("form")).toHaveAttribute("novalidate");
    for (const [index, [label, of]] of (
      [
        ["이름", "이름"],
        ["남성", "성별"],
        ["나이", "나이"],
      ] as const
    ).entries()) {
      await links.nth(index).click();
      const control = form.getByLabel(new RegExp(`^${label}`));
      await expect(control).toBeFocused();
      await expect(control).toHaveAccessibleDescription(/주세요/);
      const field = form.getByLabel(new RegExp(`^${of}`));
      await expect(field).toHaveAttribute("aria-invalid", "true");
    }
    const { gender: _, ...others } = SAMPLE_CONTROL_VALUES;
    expect(await readValues(form)).toMatchObject({
      ...others,
      message: HOSTILE,
      name: "",
      age: "17",
    });
    await fillByHand(form, { name: "고친문자" });
    await form.getByRole("button", { name: "신청서 보내기" }).click();
    await expect(shownReceipt(page)).toBeVisible();
    await expectTextedOnce(twilio, "고친문자");
  });

  test("links of the menu and of the gallery work", async ({ page, site }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(site.url);
    await page.getByRole("button", { name: "메뉴 열기" }).click();
    await page
      .locator("#site-menu")
      .getByRole("link", { name: /연습 내용/ })
      .click();
    await expect(page).toHaveURL(`${site.url}/gallery`);
    const picture = await page.locator("main a[aria-haspopup=dialog]").first().getAttribute("href");
    const answer = await page.request.get(site.url + picture);
    expect(answer.status()).toBe(200);
    expect(answer.headers()["content-type"]).toMatch(/^image\//);
  });
});

test("a refused form is answered by a page with the phone number [39]", async ({
  page,
  site,
  quiet,
}) => {
  quiet(/404/);
  await submitInvalidValues(page, site.url, "mail");
  await expectAccessible(page);
  const headers = { "sec-fetch-site": "cross-site" };
  await page.request.post(site.url + ROUTE_PATHS.mail, {
    form: SAMPLE_VALUES,
    headers,
    maxRedirects: 0,
  });
  await page.goto(`${site.url}/contact/result`);
  const summary = page.getByRole("alert").filter({ hasText: responseMessages.crossSite });
  await expect(summary.locator("a[href^='tel:']")).toBeVisible();
  // Scripts of this page run only with the nonce of its content security policy.
  await waitForHydration(page);
  await page.context().clearCookies();
  for (const [path, status, heading] of [
    ["/contact/result", 200, plainText(formResultTexts.goneTitle)],
    ["/contact/result/no-such-result", 404, "없는 길입니다"],
  ] as const) {
    const answer = await page.goto(site.url + path);
    expect(answer?.status()).toBe(status);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(heading);
    await expect(page.locator("main a[href^='tel:']")).toBeVisible();
    await expectAccessible(page);
  }
});
