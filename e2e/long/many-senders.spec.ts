import { eachOf, JSON_TYPE, post } from "#testing/client.ts";
import { eventually } from "#testing/eventually.ts";
import { asJson } from "#testing/form.ts";
import { numbersIn } from "#testing/numbers-in.ts";
import { inDatabase, withSite } from "#testing/site-with-peers.ts";
import { expect, test } from "#testing/test.ts";

const COUNT = 1_000;
const SETTINGS = {
  TRUSTED_PROXY_HOPS: "1",
  ADDRESS_APPLICATIONS_PER_10_MINUTES: "",
  SMS_HOURLY_LIMIT: "30",
  SMS_DAILY_LIMIT: "100",
};
const UNCOLLECTED =
  "SELECT count(*) FROM jobs WHERE application_id IS NOT NULL AND digest IS NULL AND state != 'done'";

test(`${COUNT} applications from as many addresses are stored, thirty go out by SMS, and the rest reaches the owner by digest`, async () => {
  await withSite(SETTINGS, async ({ site, smtp, twilio }) => {
    const indexes = Array.from({ length: COUNT }, (_, index) => index);
    const numbers = await eachOf(indexes, 40, async (index) => {
      const headers = { ...JSON_TYPE, "x-forwarded-for": `198.51.${index >> 8}.${index & 255}` };
      const phone = `010-2000-${String(index).padStart(4, "0")}`;
      const answer = await post(site, "sms", asJson({ name: `홍수여주${index}`, phone }), headers);
      return String((await answer.json()).data.applicationId);
    });
    expect(new Set(numbers).size).toBe(COUNT);
    await eventually(() => inDatabase(site, UNCOLLECTED)).toBe(0);

    // What is over the cap collects for ten minutes. They pass here by a change in the database.
    await site.end("SIGTERM");
    inDatabase(site, "UPDATE jobs SET next_at = 0 WHERE subject LIKE 'digest:%'");
    await site.startAgain();
    const told = () => [
      ...twilio.messages.flatMap(({ body }) => numbersIn(body)),
      ...smtp.mails.flatMap(({ parsed }) => numbersIn(parsed.text ?? "")),
    ];
    await eventually(() => new Set(told()).size).toBe(COUNT);
    expect(twilio.messages).toHaveLength(30);
    expect(told().toSorted()).toEqual(numbers.toSorted());
  });
});
