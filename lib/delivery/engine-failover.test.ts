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
  OWNER,
  OWNER_MAIL,
  pass,
  passInSteps,
  SECOND,
  settle,
  sms,
  smtp,
  start,
  twilio,
} from "#testing/engine-with-peers.ts";

const SECOND_MAIL = "second@practice.example";

describe("several numbers and addresses of the owner's", () => {
  test("the number that took it is not texted again, the other's goes out by mail", async () => {
    await start({ sms: sms([OWNER, "12"]), mail: mail() });
    await apply();
    await settle();
    await pass(MINUTE);
    expect(twilio.messages.map(({ to }) => to)).toEqual([OWNER]);
    expect(applicationsMailed()).toHaveLength(1);
    await expectCounts({ done: 1 });
  });

  test("without mail the number that took it is enough, and is texted once", async () => {
    await start({ sms: sms([OWNER, "12"]) });
    await apply();
    await settle();
    await pass(HOUR);
    expect(applicationsTexted()).toHaveLength(1);
    // The other number is told that this one does not work.
    const told = () => twilio.messages.filter(({ body }) => body.includes("전달되지 않습니다"));
    expect(told()).toMatchObject([{ to: OWNER }]);
    await expectCounts({ done: 1 });
  });

  test("a number that may have it is looked for by itself, the other is left alone", async () => {
    twilio.next({}, { status: 500, stores: true });
    await start({ sms: sms([OWNER, "+821099990001"]), mail: mail() });
    await apply();
    await settle();
    await passInSteps(8 * MINUTE);
    expect(twilio.messages).toHaveLength(2);
    expect(new Set(twilio.messages.map(({ to }) => to)).size).toBe(2);
    await expectCounts({ done: 1 });
  });

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
  test.each([
    ["a wrong token", { status: 401, code: 20003 }, "인증 토큰 설정"],
    ["a suspended account", { status: 403, code: 30002 }, "정지"],
  ])("%s: the mail goes out at once, with one alarm a day (row 15)", async (_name, fault, cure) => {
    twilio.always(fault);
    await start();
    await apply();
    await settle();
    await expectCounts({ done: 1 });
    expect(applicationsMailed()).toHaveLength(1);
    expect(alarmsMailed()).toHaveLength(1);
    expect(alarmsMailed()[0]?.parsed.text).toContain(cure);

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

  test.each([
    ["a number that is none", 21211, "받는 번호 설정"],
    ["a landline", 21614, "받는 번호 설정"],
  ])(
    "%s: the mail goes out at once, and the owner is told once (row 48)",
    async (_name, code, cure) => {
      twilio.always({ status: 400, code });
      await start();
      await apply();
      await settle();
      await expectCounts({ done: 1 });
      expect(applicationsMailed()).toHaveLength(1);
      expect(alarmsMailed()).toHaveLength(1);
      expect(alarmsMailed()[0]?.parsed.text).toContain(cure);
      expect(await home.store.failing({ sms: [], mail: [] })).toEqual([]);
      for (let days = 0; days < 3; days++) {
        await pass(DAY);
        await apply();
        await settle();
      }
      expect(alarmsMailed()).toHaveLength(1);
    },
  );

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

test("SMS alone carries what looks automated, marked, within the caps", async () => {
  await start({ sms: sms() }, { hourly: 4, daily: 100 });
  for (let count = 0; count < 3; count++) await apply({ suspicion: "flooding" });
  await settle();
  expect(twilio.messages.length).toBeGreaterThan(0);
  expect(twilio.messages.length).toBeLessThan(3);
  expect(twilio.messages.every(({ body }) => body.includes("자동 입력 의심"))).toBe(true);
  await passInSteps(2 * HOUR, HOUR);
  await expectCounts({ done: 3, filed: 0 });
});

describe("what leaves the settings", () => {
  test("an address that cannot be reached is not waited for (row 66)", async () => {
    smtp.always({ recipients: { [SECOND_MAIL]: 451 } });
    await start({ mail: mail([OWNER_MAIL, SECOND_MAIL]) });
    await apply({ route: "mail" });
    await settle();
    await expectCounts({ sent: 1 });
    await start({ mail: mail([OWNER_MAIL]) });
    await pass(5 * SECOND);
    await expectCounts({ done: 1 });
    expect(smtp.mails).toHaveLength(1);
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
