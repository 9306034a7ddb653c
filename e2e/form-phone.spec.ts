import { phoneMessages } from "#lib/application/messages.ts";
import { RIGHT_NUMBERS, WRONG_NUMBERS } from "#testing/fixtures/phone-numbers.ts";
import { API, fillForm, openContact } from "#testing/form.ts";
import { expect, test } from "#testing/test.ts";

test("a number that cannot be called is told of at its field, and nothing is sent", async ({
  page,
  site,
}) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(request.url());
  });
  const form = await openContact(page, site.url);
  await fillForm(form, { name: "" });
  const phone = form.getByLabel("전화번호");
  // One for each sentence: all of them are tried in lib/application/phone.test.ts.
  const wrong = WRONG_NUMBERS.filter(
    ({ says }, index) => WRONG_NUMBERS.findIndex((other) => other.says === says) === index,
  );
  expect(wrong.length).toBeGreaterThan(1);
  for (const { typed, says } of wrong) {
    await phone.fill(typed);
    await form.locator("[type=submit]").click();
    await expect(page.locator("#contact-phone-error"), typed).toHaveText(phoneMessages[says]);
    await expect(phone).toHaveAttribute("aria-invalid", "true");
  }
  for (const { typed } of RIGHT_NUMBERS.slice(0, 3)) {
    await phone.fill(typed);
    await form.locator("[type=submit]").click();
    await expect(page.locator("#contact-name-error")).toBeVisible();
    await expect(page.locator("#contact-phone-error"), typed).toHaveCount(0);
  }
  expect(sent).toEqual([]);
});

test("the panel shows the number as people read it, however it was typed", async ({
  page,
  site,
}) => {
  await page.route(API, (route) =>
    route.fulfill({
      json: {
        success: true,
        message: "",
        data: { applicationId: "7K3MPQ9X", submittedAt: "2026-12-01T09:30:00.000+09:00" },
      },
    }),
  );
  const form = await openContact(page, site.url);
  await fillForm(form, { phone: "82 10ㅡ2345ㅡ6789" });
  await form.locator("[type=submit]").click();
  await expect(page.locator("main")).toContainText("번호(010-2345-6789)로");
});
