import { eventually } from "#testing/browser/eventually.ts";
import { jsonBody, SAMPLE_VALUES } from "#testing/browser/form.ts";
import { expect, testWithSite as test } from "#testing/browser/test.ts";
import { CANARY } from "#testing/hostile/canary-person.ts";
import { findPersonalData } from "#testing/hostile/find-personal-data.ts";
import { FORM_HEADERS, JSON_HEADERS, postApplication } from "#testing/site/client.ts";
import { runWithSite } from "#testing/site/site-with-peers.ts";

test("no failure makes a log or an answer repeat a visitor's text [41]", () =>
  runWithSite({ LOG_LEVEL: "trace" }, async ({ site, smtp, twilio }) => {
    const answers: string[] = [];
    const post = async (...args: Parameters<typeof postApplication>) => {
      const answer = await postApplication(...args);
      answers.push(await answer.text(), JSON.stringify([...answer.headers]));
      return answer;
    };
    // Twilio quotes the message in an error, answers without JSON, and resets a connection.
    twilio.next({ status: 400, code: 21211 }, { status: 500, text: CANARY.name }, { resets: true });
    smtp.next({ sender: 451 }, { data: 554 }, { dropsAfterData: true });
    for (let times = 0; times < 4; times++) {
      await post(site, "sms", jsonBody({ ...CANARY, name: `${CANARY.name}${times}` }));
      await post(site, "mail", jsonBody({ ...CANARY, name: `${CANARY.name}${times}` }));
    }
    await eventually(() => twilio.requests).toBeGreaterThanOrEqual(4);
    await eventually(() => smtp.attempts).toBeGreaterThanOrEqual(4);
    const form = new URLSearchParams({ ...SAMPLE_VALUES, ...CANARY, age: "5" }).toString();
    const { headers } = await post(site, "mail", form, FORM_HEADERS);
    expect(headers.get("location")).toBe("/contact/result#form-result");
    await post(site, "mail", jsonBody({ ...CANARY, age: CANARY.name }));
    await post(site, "mail", jsonBody(CANARY).slice(0, 80));
    await post(site, "mail", jsonBody(CANARY), {
      "content-type": `text/${encodeURI(CANARY.name)}`,
    });
    await post(site, "mail", jsonBody(CANARY), {
      ...JSON_HEADERS,
      "idempotency-key": CANARY.phone,
    });
    await post(site, "mail", jsonBody({ ...CANARY, message: CANARY.message.repeat(900) }));
    await postApplication(site, "mail", jsonBody({ ...CANARY, [CANARY.name]: CANARY.name }));
    await site.end("SIGTERM");
    expect(site.log).toContain("delivery failed, next attempt");
    expect(findPersonalData(site.log)).toBeUndefined();
    expect(findPersonalData(answers.join("\n"))).toBeUndefined();
  }));
