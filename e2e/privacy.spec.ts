import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { FORM_TYPE, JSON_TYPE, post } from "#testing/client.ts";
import { applications } from "#testing/command-line.ts";
import { eventually } from "#testing/eventually.ts";
import { asJson, VALUES } from "#testing/form.ts";
import { filesWith, personalDataIn } from "#testing/personal-data.ts";
import { Site } from "#testing/site.ts";
import { expect, mailSettings, smsSettings, test } from "#testing/test.ts";

const DAY_MS = 24 * 60 * 60_000;
const CANARY = {
  name: "카나리아여주",
  phone: "010-7654-3210",
  message: "카나리아의 말씀입니다 20261121",
};
/** As they lie in rows, messages and journals. */
const TRACES = [CANARY.name, "1076543210", "7654-3210", "카나리아의 말씀"];

const messagesIn = (site: Site) => {
  const folder = join(site.dataDir, "outbox");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => !name.endsWith(".tmp")).map((name) => join(folder, name));
};
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
    await eventually(() => site.log).toContain("delivery waiting");
    expect((await applications(site, "forget", CANARY.phone)).stdout).toContain("지운 신청: 1건");
    expect(filesWith(site.dataDir, TRACES)).toEqual([]);
    const again = await applications(site, "forget", CANARY.phone);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("지운 신청: 0건") });
    expect((await applications(site, "forget", "nobody")).code).toBe(2);
    expect((await applications(site, "constructor")).code).toBe(2);
  } finally {
    smtp.always(undefined);
    await site.stop();
  }
});

test("what was delivered longer ago than it is kept is nowhere in the data folder any more", async ({
  smtp,
}) => {
  test.setTimeout(120_000);
  const site = await Site.start();
  try {
    await post(site, "mail", asJson(CANARY));
    await post(site, "sms", asJson(CANARY));
    await eventually(() => messagesIn(site).length).toBe(2);
    await eventually(() => site.log.match(/delivery (delivered|filed)/g)?.length).toBe(2);
    await site.end("SIGTERM");
    expect(filesWith(site.dataDir, TRACES).length).toBeGreaterThanOrEqual(2);
    // What only lies in a file has reached nobody and stays: with a channel both go out.
    Object.assign(site.env, mailSettings(smtp));
    await site.startAgain();
    await eventually(() => site.log.match(/delivery delivered/g)?.length).toBe(2);
    await site.end("SIGTERM");

    // 91 days go by; the clock of a process cannot be moved, so the traces of time are.
    const past = Date.now() - 91 * DAY_MS;
    const database = new DatabaseSync(join(site.dataDir, "applications.db"));
    database.exec(
      `UPDATE deliveries SET settled_at = ${past}; UPDATE applications SET submitted_at = ${past}`,
    );
    database.close();
    for (const path of messagesIn(site)) utimesSync(path, past / 1_000, past / 1_000);
    expect((await applications(site, "backup")).code).toBe(0);

    const day = pathToFileURL(resolve("testing/a-day-later.mjs")).href;
    Object.assign(site.env, { NODE_OPTIONS: `--import=${day}`, A_DAY_LATER: "1" });
    await site.startAgain();
    // The clock is believed after a day; each new application wakes the worker, which comes round every half minute.
    let wakes = 0;
    const logAfterWaking = async () => {
      await post(site, "mail", asJson(mailOf(`깨움${wakes++}`)));
      return site.log;
    };
    await eventually(logAfterWaking, { intervals: [500], timeout: 60_000 }).toContain(
      "deleted what was delivered longer ago",
    );
    // While the site runs, its journal included.
    await eventually(() => messagesIn(site)).toEqual([]);
    expect(filesWith(site.dataDir, TRACES)).toEqual([]);
    expect(readdirSync(site.dataDir)).toContain("applications.db");
  } finally {
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
    await say(site, "mail", asJson(CANARY), {
      ...JSON_TYPE,
      "idempotency-key": CANARY.phone,
    });
    await say(site, "mail", asJson({ ...CANARY, message: CANARY.message.repeat(900) }));
    await post(site, "mail", asJson({ ...CANARY, [CANARY.name]: CANARY.name }));
    await site.end("SIGTERM");
  } finally {
    await site.stop();
  }
  const mentions = (text: string) => TRACES.find((trace) => text.includes(trace));
  expect(site.log).toContain("delivery waiting");
  expect(mentions(site.log)).toBeUndefined();
  expect(personalDataIn(site.log)).toBeUndefined();
  // The answers are Korean; none of it is the visitor's.
  expect(mentions(answers.join("\n"))).toBeUndefined();
});
