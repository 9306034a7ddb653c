import { formatApplicationId } from "#lib/application/application-id.ts";
import { FORM_TYPE, followedForm, post, ROUTES } from "#testing/client.ts";
import { eventually } from "#testing/eventually.ts";
import { fillForm, VALUES } from "#testing/form.ts";
import { HOSTILE_VALUES } from "#testing/hostile-values.ts";
import { expect, test } from "#testing/test.ts";

test("the corpus has at least 200 values, each of them once", () => {
  const values = Object.values(HOSTILE_VALUES).flat();
  expect(new Set(values).size).toBe(values.length);
  expect(values.length).toBeGreaterThanOrEqual(200);
});

test("a page that shows what was entered shows it as text", async ({ page, site }) => {
  page.on("dialog", (dialog) => {
    throw new Error(`a script of a visitor's ran: ${dialog.message()}`);
  });
  for (const text of HOSTILE_VALUES.html ?? []) {
    const fields = { ...VALUES, name: text, message: text, age: "5" };
    const answer = await post(site, "mail", new URLSearchParams(fields).toString(), FORM_TYPE);
    const html = await followedForm(answer, site.url);
    expect(html).toContain("접수하지 못했습니다");
    const raw = /<[a-z/]/i.test(text) ? text : "<img src=x";
    expect(html.includes(raw), text).toBe(false);
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

test("values of every kind go through both forms in the browser", async ({
  page,
  site,
  twilio,
  smtp,
}) => {
  test.setTimeout(120_000);
  const firsts = Object.values(HOSTILE_VALUES).map(([first = ""]) => first);
  const forms = ["dialog", "contact"] as const;
  // Two kinds at a time: one as the name, one as the message.
  for (let index = 0; index < firsts.length; index += 2) {
    const [name = "", message = name] = firsts.slice(index, index + 2);
    const form = forms[(index / 2) % 2];
    await page.goto(form === "dialog" ? site.url : `${site.url}/contact`);
    if (form === "dialog") await page.getByRole("link", { name: "신청하기", exact: true }).click();
    const area = form === "dialog" ? page.getByRole("dialog") : page.locator("main");
    const answered = page.waitForResponse(/training-application$/);
    await fillForm(area, { name, message });
    await area.locator("button[type=submit]").click();
    const answer = await answered;
    expect(answer.url()).toBe(site.url + ROUTES[form === "dialog" ? "sms" : "mail"]);
    expect(answer.status(), name).toBe(200);
    const number = formatApplicationId((await answer.json()).data.applicationId);
    const arrived = () =>
      twilio.messages.some(({ body }) => body.includes(number)) ||
      smtp.mails.some(({ parsed }) => parsed.subject?.includes(number));
    await eventually(arrived, name).toBe(true);
  }
});
