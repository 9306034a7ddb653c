import { describe, expect, test } from "vitest";
import {
  applicationsMailed,
  applicationsTexted,
  apply,
  expectCounts,
  HOUR,
  MINUTE,
  mail,
  OWNER,
  pass,
  SECOND,
  settle,
  sms,
  smtp,
  start,
  subjects,
  twilio,
} from "#testing/engine-with-peers.ts";

describe("the caps on SMS", () => {
  test("send what exceeds them as one mail, of which a restart makes no second", async () => {
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

  test("keep it waiting where there is no mail, hour by hour and then day by day", async () => {
    await start({ sms: sms() }, { hourly: 4, daily: 10 });
    for (let count = 0; count < 6; count++) await apply();
    await settle();
    expect(twilio.messages).toHaveLength(2);
    await pass(59 * MINUTE);
    expect(twilio.messages).toHaveLength(2);
    await pass(MINUTE);
    expect(twilio.messages).toHaveLength(4);
    await pass(HOUR);
    expect(twilio.messages).toHaveLength(5);
    await pass(20 * HOUR);
    expect(twilio.messages).toHaveLength(5);
    await pass(2 * HOUR);
    expect(twilio.messages).toHaveLength(6);
  });

  test("count every number, and not what Twilio did not take", async () => {
    twilio.next({ status: 429 }, { status: 429 });
    await start({ sms: sms([OWNER, "+821099990001"]) }, { hourly: 8, daily: 100 });
    for (let count = 0; count < 3; count++) await apply();
    await settle();
    await pass(5 * SECOND);
    expect(twilio.messages).toHaveLength(4);
  });
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
}, 60_000);

test("what a dead channel kept back goes out as soon as it works again, and not at its own next time (row 23)", async () => {
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

test("after short outages in a row, what waits goes out within a minute of the first success, the oldest first (row 51)", async () => {
  smtp.always({ sender: 451 });
  await start();
  const numbers: string[] = [];
  for (let count = 0; count < 34; count++) {
    const stored = await apply({ route: "mail" });
    if (stored.outcome === "stored") numbers.push(stored.applicationId);
  }
  await settle();
  for (const seconds of [5, 15, 60]) await pass(seconds * SECOND);
  smtp.always(undefined);
  await pass(SECOND);
  expect(applicationsMailed()).toEqual([]);
  // Their own next time is five minutes away. Another one comes, and gets through.
  await apply({ route: "mail" });
  await settle();
  for (let seconds = 0; seconds < 60; seconds += 5) await pass(5 * SECOND);
  expect(applicationsMailed()).toHaveLength(35);
  const arrived = subjects().map((subject) => subject.slice(1, 10).replace("-", ""));
  const half = numbers.slice(0, 17);
  expect(arrived.slice(0, 20)).toEqual(expect.arrayContaining(half));
  await expectCounts({ done: 35 });
}, 60_000);
