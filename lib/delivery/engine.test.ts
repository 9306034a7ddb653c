import { existsSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import { CHANNEL_NAMES } from "#lib/channels/names.ts";
import { CHANNEL_DEFINITIONS } from "#lib/channels/registry.ts";
import { findFaults } from "#lib/delivery/faults.ts";
import { resendApplication } from "#lib/delivery/resend.ts";
import { FAILOVER_AFTER, FIRST_PAUSES, STATUS_DEADLINE } from "#lib/delivery/retry.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import {
  advanceClock,
  advanceClockInSteps,
  alarmsMailed,
  applicationsMailed,
  applicationsTexted,
  deliverNew,
  expectApplicationCounts,
  messageFolder,
  now,
  openTestMail,
  openTestSms,
  runUntilIdle,
  setClock,
  smtp,
  startWorker,
  storeApplication,
  testDatabase,
  twilio,
  worker,
} from "#testing/delivery/engine-with-peers.ts";
import { anApplication } from "#testing/storage/temporary-store.ts";

test("a rejecting channel fails over at once", async () => {
  twilio.always({ status: 401, code: 20003 });
  await startWorker();
  await deliverNew();
  await expectApplicationCounts({ done: 1 });
  expect(applicationsMailed()).toHaveLength(1);
  expect(alarmsMailed()).toHaveLength(1);
  expect(alarmsMailed()[0]?.parsed.text).toContain("Twilio가 이 계정의 요청을 거부했습니다");

  await deliverNew();
  await advanceClock(2 * HOUR);
  await startWorker();
  await deliverNew();
  expect(alarmsMailed()).toHaveLength(1);

  await advanceClock(23 * HOUR);
  // A mail program hides a second mail that has the Message-ID of an earlier one.
  expect(new Set(alarmsMailed().map(({ parsed }) => parsed.messageId)).size).toBe(2);
});

test("a channel that cannot be reached fails over after 15 minutes", async () => {
  await startWorker();
  await twilio.stop();
  await deliverNew();
  await advanceClock(FAILOVER_AFTER - MINUTE);
  expect(smtp.mails).toHaveLength(0);
  await advanceClock(MINUTE);
  expect(applicationsMailed()).toHaveLength(1);
  expect(alarmsMailed()).toHaveLength(1);
  await deliverNew();
  expect(applicationsMailed()).toHaveLength(2);
  await twilio.start();
});

test("an alarm that no channel can send does not stay open", async () => {
  await startWorker();
  await Promise.all([twilio.stop(), smtp.stop()]);
  await deliverNew();
  await advanceClockInSteps(FAILOVER_AFTER + 5 * MINUTE, MINUTE);
  const { store } = testDatabase;
  for (const topic of CHANNEL_NAMES)
    expect((await store.findEarlierJob({ kind: "alarm", topic }))?.state).not.toBe("open");
  await Promise.all([twilio.start(), smtp.start()]);
});

test("applications are written to files while no channel is configured", async () => {
  writeFileSync(messageFolder(), "a file in the folder's place");
  await deliverNew();
  await expectApplicationCounts({ waiting: 1, waitingForCap: 0 });
  rmSync(messageFolder());
  await advanceClock(FIRST_PAUSES[0] ?? 0);
  await deliverNew({ route: "mail" });
  await expectApplicationCounts({ filed: 2, done: 0 });
  rmSync(messageFolder(), { recursive: true });
  await startWorker({});
  await runUntilIdle();
  await expectApplicationCounts({ filed: 2 });
  expect(existsSync(messageFolder())).toBe(false);
  await startWorker({ mail: openTestMail() });
  await runUntilIdle();
  await expectApplicationCounts({ filed: 0, done: 2 });
  const isMarked = applicationsMailed().map((subject) => subject.startsWith("[문자 대신] "));
  expect(isMarked.toSorted()).toEqual([false, true]);
});

test("an application over the cap goes out once by mail", async () => {
  await startWorker({ sms: openTestSms(), mail: openTestMail() }, { hourly: 6, daily: 100 });
  for (let count = 0; count < 5; count++) await deliverNew();
  await startWorker({ sms: openTestSms(), mail: openTestMail() }, { hourly: 4, daily: 100 });
  await deliverNew({ route: "mail" });
  await advanceClock(10 * MINUTE);
  expect(applicationsTexted()).toHaveLength(3);
  const marked = applicationsMailed().filter((subject) => subject.startsWith("[문자 한도] "));
  expect([marked.length, applicationsMailed().length]).toEqual([2, 3]);
  await expectApplicationCounts({ done: 6, waitingForCap: 0 });
});

test("an application over the cap is texted later if the mail server rejects the mail", async () => {
  smtp.always({ sender: 550 });
  await startWorker({ sms: openTestSms(), mail: openTestMail() }, { hourly: 4, daily: 4 });
  const gap = 2 * HOUR + 10 * MINUTE;
  for (let count = 0; count < 3; count++) {
    await advanceClock(gap);
    await deliverNew();
  }
  // The day's cap has room for the third text once the first text is a day old.
  await advanceClockInSteps(DAY - 2 * gap - 1, MINUTE);
  expect(applicationsTexted()).toHaveLength(2);
  await advanceClock(1);
  expect(applicationsTexted()).toHaveLength(3);
});

test("the first success of a channel sends the applications that wait for it", async () => {
  twilio.becomes = { status: "sent" };
  twilio.always({ status: 401, code: 20003 });
  await startWorker({ sms: openTestSms() });
  for (let count = 0; count < 3; count++) await deliverNew();
  await advanceClock(31 * MINUTE);
  expect(twilio.messages).toHaveLength(0);
  twilio.always(undefined);
  await advanceClock(MINUTE);
  expect(twilio.messages).toHaveLength(0);
  await deliverNew();
  expect(applicationsTexted().length).toBeGreaterThanOrEqual(1);
  await advanceClock(MINUTE);
  expect(applicationsTexted()).toHaveLength(4);
});

test("a resend of a long application mails its full text again", async () => {
  await startWorker();
  const stored = await deliverNew({ application: anApplication({ message: "길".repeat(400) }) });
  if (!("applicationId" in stored)) throw new Error(stored.outcome);
  const { applicationId } = stored;
  await resendApplication(testDatabase.store, applicationId, { again: true, now });
  await runUntilIdle();
  expect([applicationsTexted().length, applicationsMailed().length]).toEqual([2, 2]);
});

test("a phone that is off for a week raises one alarm", async () => {
  twilio.becomes = { status: "undelivered", code: 30003 };
  await startWorker();
  for (let hours = 0; hours < 7 * 24; hours += 8) {
    if (hours % 24 === 8) await storeApplication();
    await advanceClock(8 * HOUR);
  }
  expect(applicationsMailed()).toHaveLength(7);
  expect(alarmsMailed()).toHaveLength(1);
  expect(alarmsMailed()[0]?.parsed.text).toContain("010-9999-0000에 문자가 전달되지");
  expect(twilio.messages.every(({ body }) => body.startsWith("운전연수 신청"))).toBe(true);
  expect(await findFaults(testDatabase.store, () => [])).toEqual([]);
  for (const status of ["delivered", "undelivered"]) {
    twilio.becomes = { status, code: 30003 };
    await deliverNew();
    await advanceClock(DAY);
  }
  expect(alarmsMailed()).toHaveLength(2);
});

test("a failed backup raises an alarm unless a later backup succeeded", async () => {
  await startWorker();
  await testDatabase.store.writeNote("backup-failure", { at: now - 1, value: "" });
  await testDatabase.store.writeNote("backup", { at: now, value: "" });
  await deliverNew({ route: "mail" });
  expect(alarmsMailed()).toHaveLength(0);
  await testDatabase.store.writeNote("backup-failure", { at: now + 1, value: "" });
  await advanceClock(MINUTE);
  expect(alarmsMailed()[0]?.parsed.text).toContain("백업하지 못하고");
});

test.for([
  ["undelivered", "goes out by mail at once", 5 * SECOND],
  ["queued", "goes out by mail after 30 minutes", STATUS_DEADLINE],
  ["sent", "counts as arrived after 30 minutes", STATUS_DEADLINE],
  ["unknown", "goes out by mail after 30 minutes", STATUS_DEADLINE],
] as const)("a text that Twilio reports as %s %s", async ([status, _what, after]) => {
  twilio.becomes = { status, ...(status === "undelivered" && { code: 30003 }) };
  if (status === "unknown") twilio.misbehaviourOnGet = { status: 500 };
  await startWorker();
  await deliverNew();
  await advanceClockInSteps(after - SECOND, MINUTE);
  await expectApplicationCounts({ sent: 1 });
  await advanceClock(SECOND);
  await expectApplicationCounts({ done: 1 });
  expect(twilio.messages).toHaveLength(1);
  const instead = status === "sent" ? [] : [expect.stringMatching(/^\[문자 대신\] /)];
  expect(applicationsMailed()).toEqual(instead);
  const told = alarmsMailed().map(({ parsed }) => parsed.text);
  const stuck = status === "queued" ? [expect.stringContaining("문자를 내보내지 못하고")] : [];
  if (status !== "undelivered") expect(told).toEqual(stuck);
});

const { slots } = CHANNEL_DEFINITIONS.mail;

test("a mail server that is slow after the final dot gets each mail once", async () => {
  const thinks = Promise.withResolvers<void>();
  smtp.always({ slow: { finalDot: () => thinks.promise } });
  await startWorker({ mail: openTestMail() });
  for (let count = 0; count < 2; count++) await storeApplication({ route: "mail" });
  await worker.runPass();
  await expect.poll(() => smtp.mails.length).toBe(2);
  for (let minutes = 0; minutes < 9; minutes++) {
    setClock(now + MINUTE);
    await worker.runPass();
  }
  thinks.resolve();
  await runUntilIdle();
  await expectApplicationCounts({ done: 2 });
  expect(smtp.mails).toHaveLength(2);
});

test("a silent mail server delays no SMS", async () => {
  smtp.always({ slow: { sender: () => new Promise(() => undefined) } });
  await startWorker();
  for (let count = 0; count < slots + 3; count++) await storeApplication({ route: "mail" });
  await worker.runPass();
  await expect.poll(() => smtp.attempts).toBe(slots);
  await storeApplication();
  // The waiting mails are due, but a full channel wakes the worker only when a slot is free.
  expect(await worker.runPass()).toBe(5 * SECOND);
  await expect.poll(applicationsTexted).toHaveLength(1);
  expect(smtp.attempts).toBe(slots);
  setClock(now + FAILOVER_AFTER);
  await worker.runPass();
  await expect.poll(applicationsTexted).toHaveLength(1 + 3);
});

test("applications that fail over take no more than the other channel's slots", async () => {
  smtp.always({ slow: { sender: () => new Promise(() => undefined) } });
  twilio.always({ status: 401, code: 20003 });
  await startWorker();
  for (let count = 0; count < 2 * slots; count++) await storeApplication();
  await worker.runPass();
  await expect.poll(() => testDatabase.store.nextDueAt(now)).toBe(now + 5 * SECOND);
  await expect.poll(() => smtp.attempts).toBe(slots);
});

test("a recorded attempt whose text was never sent is not charged", async () => {
  let lost = false;
  const recordAttempts: Store["recordAttempts"] = async (...leaving) => {
    const begun = await testDatabase.store.recordAttempts(...leaving);
    if (lost) return begun;
    lost = true;
    throw new StorageUnavailable("The database is gone.", "failing");
  };
  const store: Store = { ...testDatabase.store, recordAttempts };
  await startWorker({ sms: openTestSms() }, { hourly: 2, daily: 2 }, { store });
  await deliverNew();
  expect(twilio.messages).toHaveLength(0);
  await advanceClock(FIRST_PAUSES[0] ?? 0);
  expect(twilio.messages).toHaveLength(1);
});
