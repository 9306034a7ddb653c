import { answerMessages } from "#lib/application/messages.ts";
import { eachOf, FORM_TYPE, JSON_TYPE, post, statusCounts } from "#testing/client.ts";
import { asJson, fillForm, VALUES } from "#testing/form.ts";
import {
  DEFAULT_LIMITS,
  floodFromOneAddress,
  manyByMail,
  numbered,
} from "#testing/many-senders.ts";
import { sentUnder, withSite } from "#testing/site-with-peers.ts";
import { expect, expectAccessible, test } from "#testing/test.ts";

test("a flood from one address is limited with 429 and a time to come back, however it forges X-Forwarded-For", () =>
  floodFromOneAddress(150));

test("behind a trusted proxy a flood leaves the other addresses alone, and one from many addresses is limited for all together", async () => {
  await withSite({ ...DEFAULT_LIMITS, TRUSTED_PROXY_HOPS: "1" }, async ({ site }) => {
    let sent = 0;
    const from = async (address: string) => {
      const index = sent++;
      // The client claims the first, the proxy saw the second.
      const headers = { ...JSON_TYPE, "x-forwarded-for": `10.9.8.${index & 255}, ${address}` };
      return (await post(site, "mail", numbered(index), headers)).status;
    };
    const flood: number[] = [];
    for (let index = 0; index < 30; index++) {
      // Every address of an IPv6 /64 is the same sender.
      flood.push(await from(`2001:db8:1:2::${index.toString(16)}`));
    }
    expect(statusCounts(flood)).toEqual({ 200: 10, 429: 20 });
    expect(await from("203.0.113.9")).toBe(200);
    expect(await from("2001:db8:1:3::1")).toBe(200);

    const senders = Array.from({ length: 150 }, (_, index) => `198.51.100.${index}`);
    const { 200: taken = 0, 429: limited = 0 } = statusCounts(await eachOf(senders, 20, from));
    // Twelve were taken before; a second minute may have begun meanwhile.
    expect(taken).toBeGreaterThanOrEqual(48);
    expect(taken).toBeLessThanOrEqual(120);
    expect(limited).toBe(150 - taken);
  });
});

test("many valid applications from as many addresses are all stored, and all reach the owner", () =>
  manyByMail(60));

test("a limited visitor's application is kept on the device and goes out later", async ({
  page,
  quiet,
}) => {
  quiet(/Failed to load resource/);
  const env = { TOTAL_APPLICATIONS_PER_MINUTE: "1" };
  await withSite(env, async ({ site }) => {
    expect((await post(site, "sms", numbered(1))).status).toBe(200);
    await page.goto(`${site.url}/contact`);
    const form = page.locator("main");
    await fillForm(form, { name: "밀린여주" });
    await form.getByRole("button", { name: "신청서 보내기" }).click();
    await expect(form.getByRole("heading", { name: /이 기기에\s*보관했습니다/ })).toBeVisible();
    await page.request.post(`${site.url}/api/mail/training-application`, {
      form: { ...VALUES, name: "밀린양평" },
    });
    await page.goto(`${site.url}/contact/result`);
    await expect(page.getByRole("alert").filter({ hasText: answerMessages.tooMany })).toBeVisible();
    await expectAccessible(page);
  });
});

test.describe("the honeypot", () => {
  const asForm = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

  test("filled in, on either route and in either encoding, is mailed with a mark and never texted", async ({
    site,
    smtp,
    twilio,
  }) => {
    const homepage = "https://spam.example";
    const json = JSON.stringify({ ...VALUES, age: 34, name: "벌하나", homepage });
    const answer = await post(site, "sms", json);
    expect(answer.status).toBe(200);
    const plain = await post(site, "sms", asJson({ name: "사람" }));
    expect(Object.keys(await answer.json())).toEqual(Object.keys(await plain.json()));
    const names = { sms: "벌둘", mail: "벌셋" } as const;
    for (const route of ["sms", "mail"] as const) {
      const form = asForm({ ...VALUES, name: names[route], homepage });
      const sent = await post(site, route, form, FORM_TYPE);
      expect(sent.status).toBe(303);
      expect(sent.headers.get("location")).toBe("/contact/result#form-result");
    }
    const textsOf = (name: string) => twilio.messages.filter(({ body }) => body.includes(name));
    const mailsOf = (name: string) =>
      smtp.mails.flatMap(({ parsed: { subject = "" } }) => (subject.includes(name) ? subject : []));
    expect(await sentUnder(site, "사람")).toBe(1);
    expect([textsOf("사람").length, mailsOf("사람").length]).toEqual([1, 0]);
    for (const name of ["벌하나", "벌둘", "벌셋"]) {
      expect(await sentUnder(site, name)).toBe(1);
      expect(textsOf(name)).toEqual([]);
      expect(mailsOf(name)).toEqual([expect.stringContaining("자동 입력 의심")]);
    }
  });

  for (const place of ["the dialog", "the contact form"] as const) {
    test(`in ${place} no person meets it, and it travels only when it was filled in`, async ({
      page,
      site,
    }) => {
      test.setTimeout(120_000);
      await page.goto(place === "the dialog" ? site.url : `${site.url}/contact`);
      if (place === "the dialog")
        await page
          .getByRole("link", { name: "신청하기", exact: true })
          .or(page.getByRole("button", { name: "신청하기", exact: true }))
          .click();
      const form = place === "the dialog" ? page.getByRole("dialog") : page.locator("main");
      const honeypot = form.locator("[name=homepage]");
      await expect(honeypot).toHaveCount(1);
      await expect(honeypot).toHaveAttribute("tabindex", "-1");
      await expect(honeypot).toHaveAttribute("autocomplete", "off");
      await expect(honeypot).not.toBeInViewport();
      await expect(form.locator("[aria-hidden=true] [name=homepage]")).toHaveCount(1);
      expect(await form.locator("[style] [name=homepage], [name=homepage][style]").count()).toBe(0);
      const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(width).toBeLessThanOrEqual(0);
      // Neither by name nor by role: only the fields that people fill in are there for a screen reader.
      const boxes = await form.getByRole("textbox").count();
      expect(await form.getByRole("textbox", { includeHidden: true }).count()).toBe(boxes + 1);

      const bodies: Record<string, unknown>[] = [];
      page.on("request", (request) => {
        if (request.method() === "POST") bodies.push(request.postDataJSON());
      });
      const send = async () => {
        const answered = page.waitForResponse("**/training-application");
        await form.getByRole("button", { name: "신청서 보내기" }).click();
        await (await answered).finished();
      };
      await fillForm(form, { name: "사람여주" });
      await send();
      expect(bodies).toHaveLength(1);
      expect(Object.keys(bodies[0] ?? {})).toHaveLength(10);
      // Left before the receipt, the page would send the application that it still keeps once more.
      await expect(page.getByText(/[2-9A-Z]{4}-[2-9A-Z]{4}/).first()).toBeVisible();
      await page.reload();
      if (place === "the dialog")
        await page
          .getByRole("link", { name: "신청하기", exact: true })
          .or(page.getByRole("button", { name: "신청하기", exact: true }))
          .click();
      await fillForm(form, { name: "기계여주" });
      await honeypot.evaluate((input: HTMLInputElement) => {
        input.value = "x";
      });
      await send();
      expect(bodies).toHaveLength(2);
      expect(bodies[1]).toMatchObject({ homepage: "x" });
    });
  }
});
