import { describe, expect, test } from "vitest";
import {
  alarmsMailed,
  applicationsMailed,
  apply,
  DAY,
  deliver,
  expectCounts,
  HOUR,
  home,
  MINUTE,
  OWNER,
  pass,
  passInSteps,
  SECOND,
  settle,
  sms,
  smtp,
  start,
  twilio,
} from "#testing/engine-with-peers.ts";

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

  test("no more once nothing new has failed since the last alarm (row 48)", async () => {
    twilio.next({ status: 401, code: 20003 });
    await start();
    await deliver();
    expect(alarmsMailed()).toHaveLength(1);
    for (let days = 0; days < 7; days++) await pass(DAY);
    expect(alarmsMailed()).toHaveLength(1);
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
