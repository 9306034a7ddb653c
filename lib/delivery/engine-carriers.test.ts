import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  alarmsMailed,
  applicationsMailed,
  applicationsTexted,
  apply,
  DAY,
  expectCounts,
  HOUR,
  home,
  MINUTE,
  mail,
  OWNER_MAIL,
  pass,
  SECOND,
  settle,
  sms,
  smtp,
  start,
  twilio,
} from "#testing/engine-with-peers.ts";

const SECOND_MAIL = "second@practice.example";

describe("several numbers and addresses of the owner's", () => {
  test("one of two addresses refused: the other has its mail, the SMS stands in (row 19)", async () => {
    smtp.always({ recipients: { [SECOND_MAIL]: 550 } });
    await start({ sms: sms(), mail: mail([OWNER_MAIL, SECOND_MAIL]) });
    await apply({ route: "mail" });
    await settle();
    await pass(MINUTE);
    expect(smtp.mails.map(({ envelopeTo }) => envelopeTo)).toEqual([[OWNER_MAIL]]);
    expect(twilio.messages.filter(({ body }) => body.includes("(메일 대신)"))).toHaveLength(1);
    await expectCounts({ done: 1 });
  });

  test("one of two addresses greylisted gets its mail later, the other none a second time (row 18)", async () => {
    smtp.next({ recipients: { [SECOND_MAIL]: 451 } });
    await start({ sms: sms(), mail: mail([OWNER_MAIL, SECOND_MAIL]) });
    await apply({ route: "mail" });
    await settle();
    await pass(5 * SECOND);
    expect(smtp.mails.map(({ envelopeTo }) => envelopeTo)).toEqual([[OWNER_MAIL], [SECOND_MAIL]]);
    expect(twilio.messages).toHaveLength(0);
    await expectCounts({ done: 1 });
  });
});

describe("a channel that does not work", () => {
  test("that refuses is replaced at once, with one alarm a day (row 15)", async () => {
    twilio.always({ status: 401, code: 20003 });
    await start();
    await apply();
    await settle();
    await expectCounts({ done: 1 });
    expect(applicationsMailed()).toHaveLength(1);
    expect(alarmsMailed()).toHaveLength(1);
    expect(alarmsMailed()[0]?.parsed.text).toContain("인증 토큰 설정");

    await apply();
    await settle();
    await pass(2 * HOUR);
    await start();
    await apply();
    await settle();
    expect(alarmsMailed()).toHaveLength(1);

    await pass(23 * HOUR);
    expect(alarmsMailed()).toHaveLength(2);
  });

  test("a number that is none: the mail goes out at once, and the owner is told once (row 48)", async () => {
    twilio.always({ status: 400, code: 21211 });
    await start();
    for (let days = 0; days < 4; days++) {
      await apply();
      await settle();
      await pass(DAY);
    }
    expect(applicationsMailed()).toHaveLength(4);
    expect(alarmsMailed()).toHaveLength(1);
    expect(alarmsMailed()[0]?.parsed.text).toContain("받는 번호 설정");
    expect(await home.store.failing({ sms: [], mail: [] })).toEqual([]);
  });

  test("that is silent is left after 15 minutes, and by those who come later at once (row 22)", async () => {
    await start();
    await twilio.stop();
    await apply();
    await settle();
    await pass(14 * MINUTE);
    expect(applicationsMailed()).toHaveLength(0);
    await pass(MINUTE);
    expect(applicationsMailed()).toHaveLength(1);
    expect(alarmsMailed()).toHaveLength(1);
    await apply();
    await settle();
    expect(applicationsMailed()).toHaveLength(2);
    await twilio.start();
  });

  test("mail: the SMS stands in, and the alarm comes by SMS", async () => {
    smtp.always({ sender: 535 });
    await start();
    await apply({ route: "mail" });
    await settle();
    expect(twilio.messages).toHaveLength(2);
    const bodies = twilio.messages.map(({ body }) => body);
    expect(
      bodies.filter((body) => body.startsWith("운전연수 신청") && body.includes("(메일 대신)")),
    ).toHaveLength(1);
    expect(bodies.filter((body) => body.includes("아이디와 비밀번호"))).toHaveLength(1);
  });
});

describe("a channel that is not configured", () => {
  test("has the other one take its applications, marked", async () => {
    await start({ mail: mail() });
    await apply();
    await settle();
    expect(applicationsMailed()).toEqual([expect.stringMatching(/^\[문자 대신\] /)]);
    await expectCounts({ done: 1, filed: 0 });
  });

  test("like the other one: files, which go out once one is configured (row 24)", async () => {
    await start({});
    await apply();
    await apply({ route: "mail" });
    await settle();
    await expectCounts({ filed: 2, done: 0 });
    const outbox = join(home.folder, "outbox");
    for (const name of readdirSync(outbox)) rmSync(join(outbox, name));
    await start({});
    await settle();
    await expectCounts({ filed: 2 });
    // What was written once is not written again at every start.
    expect(readdirSync(outbox)).toEqual([]);
    await start({ mail: mail() });
    await settle();
    await expectCounts({ filed: 0, done: 2 });
    expect(applicationsMailed()).toHaveLength(2);
  });
});

describe("an application that looks automated", () => {
  test("goes out by mail with its mark, and is never texted, not even when mail fails for hours", async () => {
    smtp.always({ sender: 451 });
    await apply({ route: "sms", suspicion: "honeypot" });
    await start();
    for (let hours = 0; hours < 3; hours++) await pass(HOUR);
    expect(applicationsTexted()).toEqual([]);
    smtp.always(undefined);
    await pass(HOUR);
    await expectCounts({ done: 1 });
    expect(applicationsTexted()).toEqual([]);
    expect(applicationsMailed()).toEqual([expect.stringContaining("자동 입력 의심")]);
  });
});

test("five days are five days, however often the carrier recovers for others", async () => {
  smtp.always({ recipients: { [OWNER_MAIL]: 451 } });
  await start({ mail: mail() });
  await apply({ route: "mail" });
  await settle();
  const [job] = await home.store.list({});
  for (let times = 0; times < 20; times++) await pass(30 * SECOND);
  const [later] = await home.store.list({});
  expect((later?.tries ?? 0) - (job?.tries ?? 0)).toBeLessThanOrEqual(4);
});

test("the caps on SMS send what exceeds them as one mail, of which a restart makes no second", async () => {
  await start({ sms: sms(), mail: mail() }, { hourly: 6, daily: 100 });
  for (let count = 0; count < 8; count++) await apply();
  await settle();
  expect(twilio.messages).toHaveLength(3);
  await start({ sms: sms(), mail: mail() }, { hourly: 6, daily: 100 });
  await pass(10 * MINUTE);
  expect(twilio.messages).toHaveLength(3);
  expect(applicationsMailed()).toEqual(["[문자 대신] 운전연수 신청 5건"]);
  const text = smtp.mails[0]?.parsed.text ?? "";
  expect(text.match(/010-1234-5678/g)).toHaveLength(5);
  await expectCounts({ done: 8 });
});

test("what waits for the caps of a channel that has left the settings goes out at the start (row 66)", async () => {
  await start({ sms: sms() }, { hourly: 2, daily: 2 });
  for (let count = 0; count < 2; count++) await apply();
  await settle();
  expect(twilio.messages).toHaveLength(1);
  await start({ mail: mail() });
  await settle();
  expect(applicationsMailed()).toHaveLength(1);
  await expectCounts({ done: 2 });
});

test("two days without any channel lose nothing, and everything goes out in order under the caps (row 23)", async () => {
  const caps = { hourly: 8, daily: 20 };
  twilio.always({ status: 401, code: 20003 });
  smtp.always({ sender: 550 });
  await start({ sms: sms(), mail: mail() }, caps);
  const numbers: string[] = [];
  for (let hours = 0; hours < 48; hours += 6) {
    const stored = await apply();
    if (stored.outcome === "stored") numbers.push(stored.applicationId);
    await pass(6 * HOUR);
  }
  await expectCounts({ waiting: 8, done: 0, givenUp: 0 });
  expect(smtp.mails).toHaveLength(0);

  twilio.always(undefined);
  await pass(31 * MINUTE);
  // The alarm about mail goes out by SMS too, and counts: it can take the place of one of the four.
  expect(twilio.messages).toHaveLength(4);
  const texted = applicationsTexted();
  expect(texted.length).toBeGreaterThanOrEqual(3);
  // All eight are begun side by side.
  expect(numbers).toEqual(expect.arrayContaining(texted));

  smtp.always(undefined);
  await pass(45 * MINUTE);
  await pass(MINUTE);
  expect(applicationsTexted().length).toBeLessThanOrEqual(8);
  await pass(HOUR);
  await pass(MINUTE);
  await expectCounts({ waiting: 0, givenUp: 0, done: 8 });
});

test("what a dead channel kept back goes out as soon as it works again, and not at its own next time (rows 23, 51)", async () => {
  twilio.always({ status: 401, code: 20003 });
  await start({ sms: sms() });
  for (let count = 0; count < 3; count++) await apply();
  await settle();
  await pass(31 * MINUTE);
  expect(twilio.messages).toHaveLength(0);
  twilio.always(undefined);
  await pass(MINUTE);
  expect(twilio.messages).toHaveLength(0);
  await apply();
  await settle();
  expect(applicationsTexted().length).toBeGreaterThanOrEqual(1);
  await pass(MINUTE);
  expect(applicationsTexted()).toHaveLength(4);
});
