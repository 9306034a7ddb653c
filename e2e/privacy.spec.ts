import { CANARY, messagesIn, TRACES } from "#testing/canary.ts";
import { FORM_TYPE, JSON_TYPE, post } from "#testing/client.ts";
import { applications } from "#testing/command-line.ts";
import { eventually } from "#testing/eventually.ts";
import { asJson, VALUES } from "#testing/form.ts";
import { filesWith, personalDataIn } from "#testing/personal-data.ts";
import { Site } from "#testing/site.ts";
import { expect, mailSettings, smsSettings, test } from "#testing/test.ts";

/** Of somebody else. */
const mailOf = (name: string) => ({ name: `${name}이웃`, phone: "010-1111-2222", message: "" });

test("forget deletes everything of one person while the site runs, and nothing of another", async () => {
  const site = await Site.start();
  try {
    const keyed = { ...JSON_TYPE, "idempotency-key": "a-key-of-the-canary" };
    await post(site, "mail", asJson(CANARY), keyed);
    await post(
      site,
      "sms",
      asJson({ ...CANARY, name: `${CANARY.name}둘`, phone: "+82 10 7654 3210" }),
    );
    await post(site, "mail", asJson(mailOf("다른")));
    await eventually(() => messagesIn(site).length).toBe(3);
    expect((await applications(site, "backup")).code).toBe(0);
    expect(filesWith(site.dataDir, TRACES).length).toBeGreaterThan(1);

    const { code, stdout } = await applications(site, "forget", "010 7654 3210");
    expect(stdout).toMatch(/지운 신청: 2건 \(.{9}, .{9}\)\n지운 파일: outbox의 2개/);
    expect(code).toBe(0);
    expect(filesWith(site.dataDir, [...TRACES, "a-key-of-the-canary"])).toEqual([]);
    expect(messagesIn(site)).toHaveLength(1);
    // The site goes on with the same database.
    expect((await post(site, "mail", asJson(mailOf("그다음")))).status).toBe(200);
    await eventually(() => messagesIn(site).length).toBe(2);
  } finally {
    await site.stop();
  }
});

test("forget deletes what still waits, and says so when there is nothing", async ({ smtp }) => {
  smtp.always({ sender: 451 });
  const site = await Site.start(mailSettings(smtp));
  try {
    await post(site, "mail", asJson(CANARY));
    await eventually(() => site.log).toContain("delivery open");
    for (const count of [1, 0]) {
      const { stdout } = await applications(site, "forget", CANARY.phone);
      expect(stdout).toContain(`지운 신청: ${count}건`);
      expect(filesWith(site.dataDir, TRACES)).toEqual([]);
    }
  } finally {
    smtp.always(undefined);
    await site.stop();
  }
});

test("no log and no answer repeats what a visitor wrote, whatever goes wrong", async ({
  smtp,
  twilio,
}) => {
  const site = await Site.start({
    ...smsSettings(twilio),
    ...mailSettings(smtp),
    LOG_LEVEL: "trace",
  });
  const answers: string[] = [];
  const say = async (...args: Parameters<typeof post>) => {
    const answer = await post(...args);
    answers.push(await answer.text(), JSON.stringify([...answer.headers]));
    return answer;
  };
  try {
    // Refusals that echo the message, a reset, and an answer that is no JSON.
    twilio.next({ status: 400, code: 21211 }, { status: 500, text: CANARY.name }, { resets: true });
    smtp.next({ sender: 451 }, { data: 554 }, { dropsAfterData: true });
    for (let times = 0; times < 4; times++) {
      await say(site, "sms", asJson({ ...CANARY, name: `${CANARY.name}${times}` }));
      await say(site, "mail", asJson({ ...CANARY, name: `${CANARY.name}${times}` }));
    }
    await eventually(() => twilio.requests).toBeGreaterThanOrEqual(4);
    await eventually(() => smtp.attempts).toBeGreaterThanOrEqual(4);
    const form = new URLSearchParams({ ...VALUES, ...CANARY, age: "5" }).toString();
    const { headers } = await say(site, "mail", form, FORM_TYPE);
    expect(headers.get("location")).toBe("/contact/result#form-result");
    await say(site, "mail", asJson({ ...CANARY, age: CANARY.name }));
    await say(site, "mail", asJson(CANARY).slice(0, 80));
    await say(site, "mail", asJson(CANARY), { "content-type": `text/${encodeURI(CANARY.name)}` });
    await say(site, "mail", asJson(CANARY), { ...JSON_TYPE, "idempotency-key": CANARY.phone });
    await say(site, "mail", asJson({ ...CANARY, message: CANARY.message.repeat(900) }));
    await post(site, "mail", asJson({ ...CANARY, [CANARY.name]: CANARY.name }));
    await site.end("SIGTERM");
  } finally {
    await site.stop();
  }
  const mentions = (text: string) => TRACES.find((trace) => text.includes(trace));
  expect(site.log).toContain("delivery open");
  expect(mentions(site.log)).toBeUndefined();
  expect(personalDataIn(site.log)).toBeUndefined();
  // The answers are Korean; none of it is the visitor's.
  expect(mentions(answers.join("\n"))).toBeUndefined();
});
