import { eachOf, FORM_TYPE, JSON_TYPE, post, statusCounts } from "#testing/client.ts";
import { API, asJson, fillForm, openContact, VALUES } from "#testing/form.ts";
import { allSent, DEFAULT_LIMITS, sentUnder, withSite } from "#testing/site-with-peers.ts";
import { expect, test } from "#testing/test.ts";

/** An application of its own phone number. */
const numbered = (index: number) =>
  asJson({ name: `홍수여주${index}`, phone: `010-2000-${String(index).padStart(4, "0")}` });

test("a flood from one address, whatever else it claims to be, is limited with 429 and a time to come back, and leaves the others alone", async () => {
  const settings = { ...DEFAULT_LIMITS, TRUSTED_PROXY_HOPS: "1" };
  await withSite(settings, async ({ site, smtp, twilio }) => {
    // The client claims the first address, the proxy saw the second.
    const from = (index: number, address: string) => {
      const forged = `${index >> 8}.${index & 255}.7.7`;
      return post(site, index % 2 ? "sms" : "mail", numbered(index), {
        ...JSON_TYPE,
        "x-forwarded-for": `${forged}, ${address}`,
        "x-real-ip": forged,
        forwarded: `for=${forged}`,
      });
    };
    // Every address of an IPv6 /64 is the same sender.
    const indexes = Array.from({ length: 150 }, (_, index) => index);
    const answers = await eachOf(indexes, 40, (index) => from(index, `2001:db8:1:2::${index}`));
    // A minute may end meanwhile, ten do not: ten applications, and not one more.
    expect(statusCounts(answers.map(({ status }) => status))).toEqual({ 200: 10, 429: 140 });
    for (const { status, headers } of answers) {
      if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    await allSent(site);
    expect(smtp.mails.length + twilio.messages.length).toBe(10);
    // The second half of the ration is set aside: mailed with a mark, never texted.
    const marked = smtp.mails.filter(({ parsed }) => parsed.subject?.includes("자동 입력 의심"));
    expect(marked).toHaveLength(5);
    for (const [index, other] of ["203.0.113.9", "2001:db8:1:3::1"].entries())
      expect((await from(150 + index, other)).status).toBe(200);
  });
});

test("a filled honeypot is mailed with a mark and never texted", async ({ site, smtp, twilio }) => {
  const filled = (name: string) => ({ ...VALUES, name, homepage: "https://spam.example" });
  const json = JSON.stringify({ ...filled("벌하나"), age: 34 });
  const form = new URLSearchParams(filled("벌둘")).toString();
  const answers = [await post(site, "sms", json), await post(site, "sms", asJson())];
  const [bot, person] = await Promise.all(answers.map((answer) => answer.json()));
  expect(Object.keys(bot)).toEqual(Object.keys(person));
  expect((await post(site, "sms", form, FORM_TYPE)).status).toBe(303);
  for (const name of ["벌하나", "벌둘"]) {
    expect(await sentUnder(site, name)).toBe(1);
    expect(twilio.messages.filter(({ body }) => body.includes(name))).toEqual([]);
    const subjects = smtp.mails.map(({ parsed }) => parsed.subject ?? "");
    expect(subjects.filter((subject) => subject.includes(name))).toEqual([
      expect.stringContaining("자동 입력 의심"),
    ]);
  }
});

test("no person meets the honeypot, and it travels only when filled in", async ({ page, site }) => {
  const form = await openContact(page, site.url);
  const honeypot = form.locator("[aria-hidden=true][name=homepage]");
  await expect(honeypot).toHaveAttribute("tabindex", "-1");
  await expect(honeypot).toHaveAttribute("autocomplete", "off");
  await expect(honeypot).not.toBeInViewport();
  for (const written of [undefined, "x"]) {
    await fillForm(form, { name: `사람여주${written}` });
    if (written)
      await honeypot.evaluate((input: HTMLInputElement, value) => {
        input.value = value;
      }, written);
    const sent = page.waitForRequest(API);
    await form.getByRole("button", { name: "신청서 보내기" }).click();
    expect((await sent).postDataJSON().homepage).toBe(written);
    await expect(form.getByRole("heading", { name: "신청이 접수되었습니다" })).toBeVisible();
    await page.reload();
  }
});
