/** Many applications at once: a few in `npm test`, thousands in `npm run test:long`. */
import { expect } from "@playwright/test";
import { eachOf, JSON_TYPE, post, statusCounts } from "#testing/client.ts";
import { eventually } from "#testing/eventually.ts";
import { asJson } from "#testing/form.ts";
import { numbersIn } from "#testing/numbers-in.ts";
import type { Site } from "#testing/site.ts";
import { allSent, inDatabase, withSite } from "#testing/site-with-peers.ts";

/** The limits of an operator who has set none. */
export const DEFAULT_LIMITS = {
  ADDRESS_REQUESTS_PER_MINUTE: "",
  ADDRESS_APPLICATIONS_PER_10_MINUTES: "",
  TOTAL_APPLICATIONS_PER_MINUTE: "",
};

/** An application of its own phone number. */
export const numbered = (index: number) =>
  asJson({ name: `홍수여주${index}`, phone: `010-2000-${String(index).padStart(4, "0")}` });

const AT_ONCE = 40;
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** So many requests from one address, each of which claims to come from another one. */
export async function floodFromOneAddress(requests: number): Promise<void> {
  await withSite(DEFAULT_LIMITS, async ({ site, smtp, twilio }) => {
    const answers = await eachOf(upTo(requests), AT_ONCE, async (index) => {
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
    expect(statusCounts(answers.map(({ status }) => status))).toEqual({
      200: 10,
      429: requests - 10,
    });
    for (const { status, wait } of answers) {
      if (status === 429) expect(Number(wait)).toBeGreaterThan(0);
    }
    await allSent(site);
    expect(smtp.mails.length + twilio.messages.length).toBe(10);
    // The second half of the ration is set aside: mailed with a mark, never texted.
    const marked = smtp.mails.filter(({ parsed }) => parsed.subject?.includes("자동 입력 의심"));
    expect(marked).toHaveLength(5);
    expect(twilio.messages.length).toBeLessThanOrEqual(5);
  });
}

/** Sends so many applications, each from an address of its own; returns their numbers. */
async function fromAsManyAddresses(
  site: Site,
  route: "sms" | "mail",
  count: number,
): Promise<string[]> {
  const numbers = await eachOf(upTo(count), AT_ONCE, async (index) => {
    const headers = { ...JSON_TYPE, "x-forwarded-for": `198.51.${index >> 8}.${index & 255}` };
    const answer = await post(site, route, numbered(index), headers);
    return String((await answer.json()).data.applicationId);
  });
  expect(new Set(numbers).size).toBe(count);
  return numbers;
}

const MANY_ADDRESSES = { TRUSTED_PROXY_HOPS: "1", ADDRESS_APPLICATIONS_PER_10_MINUTES: "" };

/** All of them are stored, and reach the owner once. */
export async function manyByMail(count: number): Promise<void> {
  await withSite(MANY_ADDRESSES, async ({ site, smtp, twilio }) => {
    await fromAsManyAddresses(site, "mail", count);
    await allSent(site);
    expect(smtp.mails).toHaveLength(count);
    expect(twilio.messages).toHaveLength(0);
    expect(smtp.mails.some(({ parsed }) => parsed.subject?.includes("의심"))).toBe(false);
  });
}

const UNCOLLECTED =
  "SELECT count(*) FROM jobs WHERE application_id IS NOT NULL AND digest IS NULL AND state != 'done'";

/** Thirty go out by SMS, and the owner gets the rest in a digest. */
export async function manyOverTheCap(count: number): Promise<void> {
  const caps = { SMS_HOURLY_LIMIT: "30", SMS_DAILY_LIMIT: "100" };
  await withSite({ ...MANY_ADDRESSES, ...caps }, async ({ site, smtp, twilio }) => {
    const numbers = await fromAsManyAddresses(site, "sms", count);
    await eventually(() => inDatabase(site, UNCOLLECTED), { timeout: 60_000 }).toBe(0);

    // What is over the cap collects for ten minutes. They pass here by a change in the database.
    await site.end("SIGTERM");
    inDatabase(site, "UPDATE jobs SET next_at = 0 WHERE subject LIKE 'digest:%'");
    await site.startAgain();
    const told = () => {
      const texts = twilio.messages.map(({ body }) => body);
      const mails = smtp.mails.map(({ parsed }) => parsed.text ?? "");
      return numbersIn([...texts, ...mails].join("\n"));
    };
    const untold = () => {
      const known = new Set<string>(told());
      return numbers.filter((number) => !known.has(number)).length;
    };
    await eventually(untold, { timeout: 60_000 }).toBe(0);
    expect(twilio.messages).toHaveLength(30);
    // In a mail or two: the ten minutes may have ended between the first and the last of them.
    expect(smtp.mails.length).toBeLessThanOrEqual(2);
    expect(told()).toHaveLength(count);
  });
}
