import { describe, expect, test } from "vitest";
import { raiseAlarms } from "#lib/delivery/alarms.ts";
import {
  alarmsMailed,
  applicationsMailed,
  apply,
  DAY,
  DEFAULT_CAPS,
  file,
  HOUR,
  home,
  MINUTE,
  mail,
  noteMailFault,
  now,
  pass,
  SECOND,
  setClock,
  settle,
  sms,
  smtp,
  start,
  twilio,
  worker,
} from "#testing/engine-with-peers.ts";

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
      expect(await home.store.failingChannels()).toEqual([]);
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
    twilio.always({ status: 500, stores: true });
    const channels = { sms: sms(), mail: mail(), file: file() };
    const needs = { store: home.store, channels, caps: DEFAULT_CAPS, now: () => now };
    const alarms = () => twilio.messages.filter(({ body }) => body.includes("보내지 못하고"));
    for (let hours = 0; hours <= 25; hours++) {
      await noteMailFault();
      await raiseAlarms(needs, new AbortController().signal);
      // In the first round mail has failed for less than 15 minutes.
      expect(alarms()).toHaveLength(hours === 0 ? 0 : hours < 25 ? 1 : 2);
      setClock(now + HOUR);
    }
  });

  test("within the caps on SMS (row 49)", async () => {
    smtp.always({ sender: 550 });
    await start({ sms: sms(), mail: mail() }, { hourly: 1, daily: 100 });
    await apply({ channel: "mail" });
    await settle();
    for (let minutes = 0; minutes < 55; minutes += 5) await pass(5 * MINUTE);
    expect(twilio.messages).toHaveLength(1);
    await pass(10 * MINUTE);
    // An alarm that found no room is tried again five minutes later, and after the one that is under way.
    const texted = () => {
      setClock(now + 5 * MINUTE);
      worker?.wake();
      return twilio.messages.length;
    };
    await expect.poll(texted, { timeout: 10_000 }).toBe(2);
  });
});
