import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { eachOf, FORM_TYPE, JSON_TYPE, post, tally } from "#testing/client.ts";
import { asJson, fillForm, VALUES } from "#testing/form.ts";
import { SmtpPeer } from "#testing/peers/smtp-peer.ts";
import { TwilioPeer } from "#testing/peers/twilio-peer.ts";
import { Site } from "#testing/site.ts";
import { expect, mailSettings, smsSettings, test } from "#testing/test.ts";

/** The limits of an operator who has set none. */
const DEFAULTS = {
  ADDRESS_REQUESTS_PER_MINUTE: "",
  ADDRESS_APPLICATIONS_PER_10_MINUTES: "",
  TOTAL_APPLICATIONS_PER_MINUTE: "",
};

/** A server with peers of its own, so that a test knows all that it sends. */
async function withSite(
  env: Record<string, string>,
  use: (parts: { site: Site; twilio: TwilioPeer; smtp: SmtpPeer }) => Promise<void>,
): Promise<void> {
  const twilio = new TwilioPeer();
  const smtp = new SmtpPeer();
  await Promise.all([twilio.start(), smtp.start()]);
  const site = await Site.start({ ...smsSettings(twilio), ...mailSettings(smtp), ...env });
  try {
    await use({ site, twilio, smtp });
  } finally {
    await site.stop();
    await Promise.all([twilio.stop(), smtp.stop()]);
  }
}

/** Waits until this many messages have gone out, and then for a moment more, lest there be one too many. */
async function deliveries(count: number, smtp: SmtpPeer, twilio: TwilioPeer): Promise<void> {
  const sent = () => smtp.mails.length + twilio.messages.length;
  await expect.poll(sent, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(sent()).toBe(count);
}

const numbered = (index: number) =>
  asJson({ name: `홍수여주${index}`, phone: `010-2000-${String(index).padStart(4, "0")}` });

test.describe("a flood from one address", () => {
  test("is limited with 429 and a time to come back, however it forges X-Forwarded-For", async () => {
    test.setTimeout(180_000);
    await withSite(DEFAULTS, async ({ site, smtp, twilio }) => {
      const requests = Array.from({ length: 10_000 }, (_, index) => index);
      const answers = await eachOf(requests, 40, async (index) => {
        const forged = `${index >> 8}.${index & 255}.7.7`;
        const answer = await post(site, index % 2 ? "sms" : "mail", numbered(index), {
          ...JSON_TYPE,
          "x-forwarded-for": `${forged}, ${forged}`,
          "x-real-ip": forged,
          forwarded: `for=${forged}`,
        });
        await answer.arrayBuffer();
        return { status: answer.status, wait: answer.headers.get("retry-after") };
      });
      // A minute may end meanwhile, ten do not: ten applications, and not one more.
      expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 10, 429: 9_990 });
      for (const { status, wait } of answers) {
        if (status === 429) expect(Number(wait)).toBeGreaterThan(0);
      }
      await deliveries(10, smtp, twilio);
      // The second half of the ration is set aside: mailed with a mark, never texted.
      const marked = smtp.mails.filter(({ parsed }) => parsed.subject?.includes("자동 입력 의심"));
      expect(marked).toHaveLength(5);
      expect(twilio.messages.length).toBeLessThanOrEqual(5);
    });
  });

  test("of what is refused or replayed is limited as well", async () => {
    await withSite(DEFAULTS, async ({ site }) => {
      const bodies = Array.from({ length: 400 }, (_, index) =>
        index % 2 ? asJson({ age: 5 }) : asJson(),
      );
      const statuses = await eachOf(
        bodies,
        20,
        async (body) => (await post(site, "mail", body)).status,
      );
      const { 200: taken = 0, 400: wrong = 0, 429: limited = 0 } = tally(statuses);
      // One of them was new, and counts as an application. A second window may have begun meanwhile.
      expect(taken + wrong).toBeGreaterThanOrEqual(120);
      expect(taken + wrong).toBeLessThanOrEqual(242);
      expect(limited).toBe(400 - taken - wrong);
    });
  });

  test("behind a trusted proxy leaves the other addresses alone", async () => {
    await withSite({ ...DEFAULTS, TRUSTED_PROXY_HOPS: "1" }, async ({ site }) => {
      const from = async (address: string, index: number) =>
        (
          await post(site, "mail", numbered(index), {
            ...JSON_TYPE,
            // The client claims the first, the proxy saw the second.
            "x-forwarded-for": `10.9.8.${index}, ${address}`,
          })
        ).status;
      const flood: number[] = [];
      for (let index = 0; index < 30; index++) {
        // Every address of an IPv6 /64 is the same sender.
        flood.push(await from(`2001:db8:1:2::${index.toString(16)}`, index));
      }
      expect(tally(flood)).toEqual({ 200: 10, 429: 20 });
      expect(await from("203.0.113.9", 40)).toBe(200);
      expect(await from("2001:db8:1:3::1", 41)).toBe(200);
    });
  });
});

test("a flood from many addresses is limited for all together", async () => {
  await withSite({ ...DEFAULTS, TRUSTED_PROXY_HOPS: "1" }, async ({ site }) => {
    const senders = Array.from({ length: 300 }, (_, index) => index);
    const statuses = await eachOf(senders, 20, async (index) => {
      const headers = { ...JSON_TYPE, "x-forwarded-for": `203.0.${index >> 8}.${index & 255}` };
      return (await post(site, "sms", numbered(index), headers)).status;
    });
    const { 200: taken = 0, 429: limited = 0 } = tally(statuses);
    expect(taken).toBeGreaterThanOrEqual(60);
    expect(taken).toBeLessThanOrEqual(120);
    expect(limited).toBe(300 - taken);
  });
});

test("1,000 valid applications from 1,000 addresses are all stored, and all reach the owner", async () => {
  test.setTimeout(120_000);
  const env = { TRUSTED_PROXY_HOPS: "1", ADDRESS_APPLICATIONS_PER_10_MINUTES: "" };
  await withSite(env, async ({ site, smtp, twilio }) => {
    const senders = Array.from({ length: 1_000 }, (_, index) => index);
    const numbers = await eachOf(senders, 40, async (index) => {
      const headers = { ...JSON_TYPE, "x-forwarded-for": `198.51.${index >> 8}.${index & 255}` };
      const answer = await post(site, "mail", numbered(index), headers);
      return (await answer.json()).data?.applicationId as unknown;
    });
    expect(new Set(numbers).size).toBe(1_000);
    await deliveries(1_000, smtp, twilio);
    expect(twilio.messages).toHaveLength(0);
    expect(smtp.mails.some(({ parsed }) => parsed.subject?.includes("의심"))).toBe(false);
  });
});

test("1,000 from 1,000 addresses send no more SMS than the cap; the rest reaches the owner by digest", async () => {
  test.setTimeout(180_000);
  const env = {
    TRUSTED_PROXY_HOPS: "1",
    ADDRESS_APPLICATIONS_PER_10_MINUTES: "",
    SMS_HOURLY_LIMIT: "30",
    SMS_DAILY_LIMIT: "100",
  };
  await withSite(env, async ({ site, smtp, twilio }) => {
    const senders = Array.from({ length: 1_000 }, (_, index) => index);
    const numbers = await eachOf(senders, 40, async (index) => {
      const headers = { ...JSON_TYPE, "x-forwarded-for": `198.51.${index >> 8}.${index & 255}` };
      const answer = await post(site, "sms", numbered(index), headers);
      return formatApplicationId((await answer.json()).data.applicationId);
    });
    expect(new Set(numbers).size).toBe(1_000);
    const database = join(site.dataDir, "applications.db");
    const uncollected = () => inDatabase(database, UNCOLLECTED);
    await expect.poll(uncollected, { timeout: 60_000 }).toBe(0);

    // What is over the cap collects for ten minutes; they go by, as the traces of time do.
    await site.end("SIGTERM");
    inDatabase(database, "UPDATE deliveries SET next_attempt_at = 0 WHERE digest IS NOT NULL");
    await site.startAgain();
    const told = () => {
      const texts = twilio.messages.map(({ body }) => body);
      const mails = smtp.mails.map(({ parsed }) => parsed.text ?? "");
      return [...texts, ...mails].join("\n").match(NUMBER) ?? [];
    };
    const untold = () => {
      const known = new Set<string>(told());
      return numbers.filter((number) => !known.has(number)).length;
    };
    await expect.poll(untold, { timeout: 60_000 }).toBe(0);
    expect(twilio.messages).toHaveLength(30);
    // In a mail or two: the ten minutes may have ended between the first and the last of them.
    expect(smtp.mails.length).toBeLessThanOrEqual(2);
    expect(told()).toHaveLength(1_000);
  });
});

const NUMBER = /[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}/g;
const UNCOLLECTED = `SELECT count(*) AS figure FROM deliveries
  WHERE digest IS NULL AND state != 'delivered'`;

/** The figure that a query gives, or undefined. */
function inDatabase(file: string, query: string): unknown {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  try {
    return database.prepare(query).get()?.figure;
  } finally {
    database.close();
  }
}

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
  });
});

test.describe("the honeypot", () => {
  const asForm = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

  test("filled in, on either route and in either encoding, is mailed with a mark and never texted", async () => {
    await withSite({}, async ({ site, smtp, twilio }) => {
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
      await deliveries(4, smtp, twilio);
      expect(twilio.messages.map(({ body }) => body.includes("사람"))).toEqual([true]);
      const subjects = smtp.mails.map(({ parsed }) => parsed.subject ?? "");
      for (const name of ["벌하나", "벌둘", "벌셋"]) {
        const [mine = ""] = subjects.filter((subject) => subject.includes(name));
        expect(mine).toContain("자동 입력 의심");
      }
    });
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
          .getByRole("link", { name: "신청서 쓰기" })
          .or(page.getByRole("button", { name: "신청서 쓰기" }))
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
          .getByRole("link", { name: "신청서 쓰기" })
          .or(page.getByRole("button", { name: "신청서 쓰기" }))
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
