import { FORM_TYPE, followedForm, post, ROUTES } from "#testing/client.ts";
import { VALUES } from "#testing/form.ts";
import { HOSTILE_VALUES } from "#testing/hostile-values.ts";
import { expect, test } from "#testing/test.ts";

test("a page that shows what was entered shows it as text", async ({ page, site }) => {
  page.on("dialog", (dialog) => {
    throw new Error(`a script of a visitor's ran: ${dialog.message()}`);
  });
  for (const text of HOSTILE_VALUES.html ?? []) {
    const fields = { ...VALUES, name: text, message: text, age: "5" };
    const answer = await post(site, "mail", new URLSearchParams(fields).toString(), FORM_TYPE);
    const html = await followedForm(answer, site.url);
    expect(html).toContain("접수하지 못했습니다");
    if (/<[a-z/]/i.test(text)) expect(html.includes(text), text).toBe(false);
  }
  const fields = {
    ...VALUES,
    name: '"><script>alert(1)</script>',
    message: "</textarea><img src=x onerror=alert(1)>",
    age: "5",
  };
  const answer = await page.request.post(site.url + ROUTES.sms, { form: fields, maxRedirects: 0 });
  await page.goto(site.url + answer.headers().location);
  await expect(page.getByLabel("이름")).toHaveValue(fields.name);
  await expect(page.getByLabel("남기실 말씀")).toHaveValue(fields.message);
});
