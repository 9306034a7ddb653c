import { eachOf, FORM_TYPE, JSON_TYPE, post, statusCounts } from "#testing/client.ts";
import { asJson, fillForm, VALUES } from "#testing/form.ts";
import { allSent, DEFAULT_LIMITS, sentUnder, withSite } from "#testing/site-with-peers.ts";
import { expect, test } from "#testing/test.ts";

/** An application of its own phone number. */
const numbered = (index: number) =>
  asJson({ name: `홍수여주${index}`, phone: `010-2000-${String(index).padStart(4, "0")}` });
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test("a flood from one address is limited with 429 and a time to come back, however it forges its headers", async () => {
  await withSite(DEFAULT_LIMITS, async ({ site, smtp, twilio }) => {
    const answers = await eachOf(upTo(150), 40, (index) => {
      const forged = `${index >> 8}.${index & 255}.7.7`;
      return post(site, index % 2 ? "sms" : "mail", numbered(index), {
        ...JSON_TYPE,
        "x-forwarded-for": `${forged}, ${forged}`,
        "x-real-ip": forged,
        forwarded: `for=${forged}`,
      });
    });
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
  });
});

test("behind a trusted proxy a flood leaves the other addresses alone", async () => {
  await withSite({ ...DEFAULT_LIMITS, TRUSTED_PROXY_HOPS: "1" }, async ({ site }) => {
    // The client claims the first, the proxy saw the second.
    const from = async (index: number, address: string) => {
      const headers = { ...JSON_TYPE, "x-forwarded-for": `10.9.8.${index}, ${address}` };
      return (await post(site, "mail", numbered(index), headers)).status;
    };
    // Every address of an IPv6 /64 is the same sender.
    const flood = await eachOf(upTo(30), 1, (index) => from(index, `2001:db8:1:2::${index}`));
    expect(statusCounts(flood)).toEqual({ 200: 10, 429: 20 });
    expect(await from(30, "203.0.113.9")).toBe(200);
    expect(await from(31, "2001:db8:1:3::1")).toBe(200);
  });
});

test("the honeypot, on either route and in either encoding, is mailed with a mark and never texted", async ({
  site,
  smtp,
  twilio,
}) => {
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

test("no person meets the honeypot, and it travels only when it was filled in", async ({
  page,
  site,
}) => {
  await page.goto(`${site.url}/contact`);
  const form = page.locator("main");
  const honeypot = form.locator("[aria-hidden=true][name=homepage]");
  await expect(honeypot).toHaveAttribute("tabindex", "-1");
  await expect(honeypot).toHaveAttribute("autocomplete", "off");
  await expect(honeypot).not.toBeInViewport();
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(width).toBeLessThanOrEqual(0);
  for (const [name, written] of [
    ["사람여주", ""],
    ["기계여주", "x"],
  ] as const) {
    await fillForm(form, { name });
    await honeypot.evaluate((input: HTMLInputElement, value) => {
      input.value = value;
    }, written);
    const sent = page.waitForRequest("**/training-application");
    await form.getByRole("button", { name: "신청서 보내기" }).click();
    expect((await sent).postDataJSON().homepage).toBe(written || undefined);
    await expect(page.getByText(/[2-9A-Z]{4}-[2-9A-Z]{4}/).first()).toBeVisible();
    await page.reload();
  }
});
