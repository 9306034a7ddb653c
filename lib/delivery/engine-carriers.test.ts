import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  alarmsMailed,
  applicationsMailed,
  applicationsTexted,
  apply,
  DAY,
  deliver,
  expectCounts,
  HOUR,
  home,
  MINUTE,
  mail,
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

test("one of two addresses greylisted gets its mail later, the other none a second time (rows 18, 19)", async () => {
  const second = "second@practice.example";
  smtp.next({ recipients: { [second]: 451 } });
  await start({ sms: sms(), mail: mail([OWNER_MAIL, second]) });
  await deliver({ route: "mail" });
  await pass(5 * SECOND);
  expect(smtp.mails.map(({ envelopeTo }) => envelopeTo)).toEqual([[OWNER_MAIL], [second]]);
  expect(twilio.messages).toHaveLength(0);
  await expectCounts({ done: 1 });
});

describe("a channel that does not work", () => {
  test("that refuses is replaced at once, with one alarm a day (row 15)", async () => {
    twilio.always({ status: 401, code: 20003 });
    await start();
    await deliver();
    await expectCounts({ done: 1 });
    expect(applicationsMailed()).toHaveLength(1);
    expect(alarmsMailed()).toHaveLength(1);
    expect(alarmsMailed()[0]?.parsed.text).toContain("인증 토큰 설정");

    await deliver();
    await pass(2 * HOUR);
    await start();
    await deliver();
    expect(alarmsMailed()).toHaveLength(1);

    await pass(23 * HOUR);
    expect(alarmsMailed()).toHaveLength(2);
  });

  test("that is silent is left after 15 minutes, and by those who come later at once (row 22)", async () => {
    await start();
    await twilio.stop();
    await deliver();
    await pass(14 * MINUTE);
    expect(applicationsMailed()).toHaveLength(0);
    await pass(MINUTE);
    expect(applicationsMailed()).toHaveLength(1);
    expect(alarmsMailed()).toHaveLength(1);
    await deliver();
    expect(applicationsMailed()).toHaveLength(2);
    await twilio.start();
  });
});

describe("a channel that is not configured", () => {
  test("has the other one take its applications, marked", async () => {
    await start({ mail: mail() });
    await deliver();
    expect(applicationsMailed()).toEqual([expect.stringMatching(/^\[문자 대신\] /)]);
    await expectCounts({ done: 1, filed: 0 });
  });

  test("like the other one: files, which go out once one is configured (row 24)", async () => {
    await start({});
    await apply();
    await deliver({ route: "mail" });
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

test("five days are five days, however often the carrier recovers for others", async () => {
  smtp.always({ recipients: { [OWNER_MAIL]: 451 } });
  await start({ mail: mail() });
  await deliver({ route: "mail" });
  const [job] = await home.store.list({});
  for (let times = 0; times < 20; times++) await pass(30 * SECOND);
  const [later] = await home.store.list({});
  expect((later?.tries ?? 0) - (job?.tries ?? 0)).toBeLessThanOrEqual(4);
});

test("the caps on SMS send what exceeds them as one mail, of which a restart makes no second", async () => {
  await start({ sms: sms(), mail: mail() }, { hourly: 6, daily: 100 });
  for (let count = 0; count < 8; count++) await deliver();
  expect(twilio.messages).toHaveLength(3);
  await start({ sms: sms(), mail: mail() }, { hourly: 6, daily: 100 });
  await pass(10 * MINUTE);
  expect(twilio.messages).toHaveLength(3);
  expect(applicationsMailed()).toEqual(["[문자 대신] 운전연수 신청 5건"]);
  const text = smtp.mails[0]?.parsed.text ?? "";
  expect(text.match(/010-1234-5678/g)).toHaveLength(5);
  await expectCounts({ done: 8 });
});

test("a digest that mail refuses gives way: what it carries is texted as soon as the caps allow it", async () => {
  smtp.always({ sender: 550 });
  await start({ sms: sms(), mail: mail() }, { hourly: 4, daily: 100 });
  for (let count = 0; count < 3; count++) await apply();
  await settle();
  expect(applicationsTexted()).toHaveLength(2);
  await passInSteps(3 * HOUR, 5 * MINUTE);
  expect(applicationsTexted()).toHaveLength(3);
  await expectCounts({ done: 3 });
});

test("what a dead channel kept back goes out as soon as it works again, and not at its own next time (rows 23, 51)", async () => {
  twilio.always({ status: 401, code: 20003 });
  await start({ sms: sms() });
  for (let count = 0; count < 3; count++) await deliver();
  await pass(31 * MINUTE);
  expect(twilio.messages).toHaveLength(0);
  twilio.always(undefined);
  await pass(MINUTE);
  expect(twilio.messages).toHaveLength(0);
  await deliver();
  expect(applicationsTexted().length).toBeGreaterThanOrEqual(1);
  await pass(MINUTE);
  expect(applicationsTexted()).toHaveLength(4);
});

describe("the owner is told", () => {
  test("once in a week of a phone that is switched off (row 48)", async () => {
    twilio.becomes = { status: "undelivered", code: 30003 };
    await start();
    for (let hours = 0; hours < 7 * 24; hours += 8) {
      if (hours % 24 === 8) await apply();
      await pass(8 * HOUR);
    }
    expect(applicationsMailed()).toHaveLength(7);
    expect(alarmsMailed()).toHaveLength(1);
    expect(alarmsMailed()[0]?.parsed.text).toContain("010-9999-0000");
    expect(twilio.messages.every(({ body }) => body.startsWith("운전연수 신청"))).toBe(true);
    expect(await home.store.failing({ sms: [], mail: [] })).toEqual([]);
  });

  test("again when a phone that worked meanwhile is off once more (row 48)", async () => {
    await start();
    for (const status of ["undelivered", "delivered", "undelivered"]) {
      twilio.becomes = { status, ...(status === "undelivered" ? { code: 30003 } : {}) };
      await deliver();
      await pass(5 * SECOND);
      await pass(DAY);
      await pass(DAY);
    }
    expect(alarmsMailed()).toHaveLength(2);
  });
});
