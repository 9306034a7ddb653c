import { describe, expect, test } from "vitest";
import {
  alarmsMailed,
  applicationsMailed,
  apply,
  DAY,
  expectCounts,
  HOUR,
  home,
  MINUTE,
  mail,
  now,
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

const failingCarriers = () => home.store.failing({ sms: [], mail: [] });

describe("the owner is told", () => {
  test.each([
    ["an application every day", true],
    ["one application, and none afterwards", false],
  ])(
    "once in a week of a phone that is switched off, with %s (row 48)",
    async (_what, daily) => {
      twilio.becomes = { status: "undelivered", code: 30003 };
      await start();
      await apply();
      for (let hours = 0; hours < 7 * 24; hours += 3) {
        if (daily && hours % 24 === 9) await apply();
        await pass(3 * HOUR);
      }
      expect(applicationsMailed()).toHaveLength(daily ? 8 : 1);
      expect(alarmsMailed()).toHaveLength(1);
      expect(alarmsMailed()[0]?.parsed.text).toContain("010-9999-0000");
      expect(twilio.messages.every(({ body }) => body.startsWith("운전연수 신청"))).toBe(true);
      expect(await failingCarriers()).toEqual([]);
    },
    30_000,
  );

  test("again when a phone that worked meanwhile is off once more (row 48)", async () => {
    await start();
    for (const status of ["undelivered", "delivered", "undelivered"]) {
      twilio.becomes = { status, ...(status === "undelivered" ? { code: 30003 } : {}) };
      await apply();
      await settle();
      await pass(5 * SECOND);
      await pass(DAY);
      await pass(DAY);
    }
    expect(alarmsMailed()).toHaveLength(2);
  });

  test("no more once nothing new has failed since the last alarm (row 48)", async () => {
    twilio.next({ status: 401, code: 20003 });
    await start();
    await apply();
    await settle();
    expect(alarmsMailed()).toHaveLength(1);
    for (let days = 0; days < 7; days++) await pass(DAY);
    expect(alarmsMailed()).toHaveLength(1);
  });

  test("of a backup that failed, until one succeeds (row 43)", async () => {
    await start();
    await home.store.writeNote("backup-failure", { at: now, value: "ENOSPC" });
    await settle();
    expect(alarmsMailed()).toHaveLength(1);
    expect(alarmsMailed()[0]?.parsed.subject).toBe("[확인 필요] 백업을 만들지 못하고 있습니다");
    await pass(2 * DAY);
    expect(alarmsMailed()).toHaveLength(1);
    await home.store.writeNote("backup-failure", { at: now, value: "ENOSPC" });
    await home.store.writeNote("backup", { at: now + 1, value: "applications.db" });
    await settle();
    expect(alarmsMailed()).toHaveLength(1);
  });

  test("once a day, also while nobody knows whether it arrived (row 49)", async () => {
    smtp.always({ sender: 550 });
    twilio.always({ status: 500, stores: true });
    await start();
    const alarms = () => twilio.messages.filter(({ body }) => body.includes("보내지 못하고"));
    for (let hours = 0; hours <= 25; hours++) {
      await apply({ route: "mail" });
      await settle();
      expect(alarms()).toHaveLength(hours < 24 ? 1 : 2);
      await pass(HOUR);
    }
  });

  test("within a day of an application that was given up, though the alarm found the phone off too (row 49)", async () => {
    twilio.becomes = { status: "undelivered", code: 30003 };
    await start({ sms: sms() });
    await apply();
    await passInSteps(3 * HOUR, MINUTE);
    await expectCounts({ givenUp: 1 });
    const alarms = () => twilio.messages.filter(({ body }) => body.includes("신청이 1건"));
    expect(alarms()).toHaveLength(2);
    twilio.becomes = { status: "delivered" };
    await passInSteps(DAY, HOUR);
    expect(alarms()).toHaveLength(3);
    await passInSteps(3 * DAY, HOUR);
    expect(alarms()).toHaveLength(3);
  });

  test("until it is known to have arrived (row 49)", async () => {
    twilio.always({ status: 500, stores: false });
    await start({ sms: sms() });
    await home.store.writeNote("backup-failure", { at: now, value: "ENOSPC" });
    await passInSteps(HOUR, MINUTE);
    twilio.always(undefined);
    await passInSteps(DAY, HOUR);
    expect(twilio.messages).toHaveLength(1);
    await passInSteps(3 * DAY, HOUR);
    expect(twilio.messages).toHaveLength(1);
  });

  test("within the caps on SMS (row 49)", async () => {
    smtp.always({ sender: 550 });
    // An application costs two segments, and so does an alarm.
    await start({ sms: sms(), mail: mail() }, { hourly: 3, daily: 100 });
    await apply({ route: "mail" });
    await settle();
    await passInSteps(55 * MINUTE, 5 * MINUTE);
    expect(twilio.messages).toHaveLength(1);
    await passInSteps(10 * MINUTE);
    expect(twilio.messages).toHaveLength(2);
  });

  test("nothing of a carrier that works again: our own network was gone for 40 minutes (row 67)", async () => {
    await start();
    const [smsPort, mailPort] = [twilio.url, smtp.url].map((url) => Number(new URL(url).port));
    await Promise.all([twilio.stop(), smtp.stop()]);
    await apply();
    await apply({ route: "mail" });
    await passInSteps(40 * MINUTE);
    await Promise.all([twilio.start(smsPort), smtp.start(mailPort)]);
    await passInSteps(2 * HOUR, 5 * MINUTE);
    await expectCounts({ done: 2 });
    expect(alarmsMailed()).toEqual([]);
    expect(twilio.messages.every(({ body }) => body.startsWith("운전연수 신청"))).toBe(true);
  });

  test("nothing of a mail that was refused for its content: the channel works (row 48)", async () => {
    smtp.next({ data: "550 5.7.0 blocked content" });
    await start();
    await apply({ route: "mail" });
    await settle();
    await passInSteps(HOUR, 5 * MINUTE);
    expect(twilio.messages).toHaveLength(1);
    expect(await home.store.failing({ mail: [OWNER_MAIL] })).toEqual([]);
  });

  test("nothing of a number that has left the settings (row 66)", async () => {
    twilio.next({ status: 400, code: 21211 });
    await start({ sms: sms(["+821000000000", OWNER]) });
    await apply();
    await start({ sms: sms([OWNER]) });
    await settle();
    await pass(DAY);
    expect(twilio.messages.filter(({ body }) => body.includes("전달되지 않습니다"))).toEqual([]);
  });
});
