import { FORM_TYPE, followedForm, post } from "#testing/client.ts";
import { VALUES } from "#testing/form.ts";
import { HOSTILE_VALUES } from "#testing/hostile-values.ts";
import { expect, withSite as test } from "#testing/test.ts";

test("a page that shows what was entered shows it as text", async ({ site }) => {
  for (const text of HOSTILE_VALUES.html ?? []) {
    const fields = { ...VALUES, name: text, message: text, age: "5" };
    const answer = await post(site, "mail", new URLSearchParams(fields).toString(), FORM_TYPE);
    const html = await followedForm(answer, site.url);
    expect(html).toContain("접수하지 못했습니다");
    if (/<[a-z/]/i.test(text)) expect(html.includes(text), text).toBe(false);
  }
});
