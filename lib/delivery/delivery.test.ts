import { existsSync, rmSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import { PROVIDER_CHANNELS } from "#lib/channels/names.ts";
import { listFaults } from "#lib/delivery/faults.ts";
import { resendApplication } from "#lib/delivery/resend.ts";
import { FAILOVER_AFTER_MS, FIRST_PAUSES_MS, STATUS_DEADLINE_MS } from "#lib/delivery/retry.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import { test } from "#testing/delivery/rig.ts";
import { anApplication } from "#testing/storage/temporary-store.ts";

test("a rejecting channel fails over at once [15][49]", async ({ rig }) => {
  rig.twilio.always({ status: 401, code: 20003 });
  await rig.restartWorker();
  await rig.deliverNew();
  await rig.expectCounts({ done: 1 });
  expect(rig.applicationMailSubjects()).toHaveLength(1);
  expect(rig.alarmsMailed()).toHaveLength(1);
  expect(rig.alarmsMailed()[0]?.parsed.text).toContain("Twilio가 이 계정의 요청을 거부했습니다");

  await rig.deliverNew();
  await rig.advance(2 * HOUR);
  await rig.restartWorker();
  await rig.deliverNew();
  expect(rig.alarmsMailed()).toHaveLength(1);

  await rig.advance(23 * HOUR);
  // A mail program hides a second mail that has the Message-ID of an earlier one.
  expect(new Set(rig.alarmsMailed().map(({ parsed }) => parsed.messageId)).size).toBe(2);
});

test("a channel that cannot be reached fails over after 15 minutes [22]", async ({ rig }) => {
  await rig.restartWorker();
  await rig.twilio.stop();
  await rig.deliverNew();
  await rig.advance(FAILOVER_AFTER_MS - MINUTE);
  expect(rig.smtp.mails).toHaveLength(0);
  await rig.advance(MINUTE);
  expect(rig.applicationMailSubjects()).toHaveLength(1);
  expect(rig.alarmsMailed()).toHaveLength(1);
  await rig.deliverNew();
  expect(rig.applicationMailSubjects()).toHaveLength(2);
  await rig.twilio.start();
});

test("an alarm that no channel can send does not stay open", async ({ rig }) => {
  await rig.restartWorker();
  await Promise.all([rig.twilio.stop(), rig.smtp.stop()]);
  await rig.deliverNew();
  await rig.advanceInSteps(FAILOVER_AFTER_MS + 5 * MINUTE, MINUTE);
  const { store } = rig.database;
  for (const topic of PROVIDER_CHANNELS)
    expect((await store.findEarlierNotice({ kind: "alarm", topic }))?.state).not.toBe("open");
  await Promise.all([rig.twilio.start(), rig.smtp.start()]);
});

test("applications become files while no channel is configured [24]", async ({ rig }) => {
  writeFileSync(rig.messageFolder, "a file in the folder's place");
  await rig.deliverNew();
  await rig.expectCounts({ waiting: 1, waitingForCap: 0 });
  rmSync(rig.messageFolder);
  await rig.advance(FIRST_PAUSES_MS[0] ?? 0);
  await rig.deliverNew({ route: "mail" });
  await rig.expectCounts({ filed: 2, done: 0 });
  rmSync(rig.messageFolder, { recursive: true });
  await rig.restartWorker({});
  await rig.runUntilIdle();
  await rig.expectCounts({ filed: 2 });
  expect(existsSync(rig.messageFolder)).toBe(false);
  await rig.restartWorker({ mail: rig.openMail() });
  await rig.runUntilIdle();
  await rig.expectCounts({ filed: 0, done: 2 });
  const isMarked = rig
    .applicationMailSubjects()
    .map((subject) => subject.startsWith("[문자 대신] "));
  expect(isMarked.toSorted()).toEqual([false, true]);
});

test("an application over the cap goes out once by mail [30]", async ({ rig }) => {
  await rig.restartWorker({ sms: rig.openSms(), mail: rig.openMail() }, { hourly: 6, daily: 100 });
  for (let count = 0; count < 5; count++) await rig.deliverNew();
  await rig.restartWorker({ sms: rig.openSms(), mail: rig.openMail() }, { hourly: 4, daily: 100 });
  await rig.deliverNew({ route: "mail" });
  await rig.advance(10 * MINUTE);
  expect(rig.applicationsTexted()).toHaveLength(3);
  const marked = rig
    .applicationMailSubjects()
    .filter((subject) => subject.startsWith("[문자 한도] "));
  expect([marked.length, rig.applicationMailSubjects().length]).toEqual([2, 3]);
  await rig.expectCounts({ done: 6, waitingForCap: 0 });
});

test("an application over the cap is texted later if the mail server rejects the mail", async ({
  rig,
}) => {
  // After the content 554 blames this one mail. A fault of the channel would raise an alarm by text, which would use up
  // the segments that this test counts.
  rig.smtp.always({ data: 554 });
  await rig.restartWorker({ sms: rig.openSms(), mail: rig.openMail() }, { hourly: 4, daily: 4 });
  const gap = 2 * HOUR + 10 * MINUTE;
  for (let count = 0; count < 3; count++) {
    await rig.advance(gap);
    await rig.deliverNew();
  }
  // The day's cap has room for the third text once the first text is a day old.
  await rig.advanceInSteps(DAY - 2 * gap - 1, MINUTE);
  expect(rig.applicationsTexted()).toHaveLength(2);
  await rig.advance(1);
  expect(rig.applicationsTexted()).toHaveLength(3);
});

test("the first success of a channel sends the applications that wait for it [23][51]", async ({
  rig,
}) => {
  rig.twilio.messagesBecome = { status: "sent" };
  rig.twilio.always({ status: 401, code: 20003 });
  await rig.restartWorker({ sms: rig.openSms() });
  for (let count = 0; count < 3; count++) await rig.deliverNew();
  await rig.advance(31 * MINUTE);
  expect(rig.twilio.messages).toHaveLength(0);
  rig.twilio.always(undefined);
  await rig.advance(MINUTE);
  expect(rig.twilio.messages).toHaveLength(0);
  await rig.deliverNew();
  expect(rig.applicationsTexted().length).toBeGreaterThanOrEqual(1);
  await rig.advance(MINUTE);
  expect(rig.applicationsTexted()).toHaveLength(4);
});

test("a resend of a long application mails its full text again", async ({ rig }) => {
  await rig.restartWorker();
  const stored = await rig.deliverNew({
    application: anApplication({ message: "길".repeat(400) }),
  });
  if (!("applicationId" in stored)) throw new Error(stored.outcome);
  const { applicationId } = stored;
  await resendApplication(rig.store, applicationId, { again: true, now: rig.now });
  await rig.runUntilIdle();
  expect([rig.applicationsTexted().length, rig.applicationMailSubjects().length]).toEqual([2, 2]);
});

test("a phone that is off for a week raises one alarm [48]", async ({ rig }) => {
  rig.twilio.messagesBecome = { status: "undelivered", code: 30003 };
  await rig.restartWorker();
  for (let hours = 0; hours < 7 * 24; hours += 8) {
    if (hours % 24 === 8) await rig.apply();
    await rig.advance(8 * HOUR);
  }
  expect(rig.applicationMailSubjects()).toHaveLength(7);
  expect(rig.alarmsMailed()).toHaveLength(1);
  expect(rig.alarmsMailed()[0]?.parsed.text).toContain("010-9999-0000에 문자가 전달되지");
  expect(rig.twilio.messages.every(({ body }) => body.startsWith("운전연수 신청"))).toBe(true);
  expect(await listFaults(rig.store, () => [])).toEqual([]);
  for (const status of ["delivered", "undelivered"]) {
    rig.twilio.messagesBecome = { status, code: 30003 };
    await rig.deliverNew();
    await rig.advance(DAY);
  }
  expect(rig.alarmsMailed()).toHaveLength(2);
});

test("a failed backup raises an alarm unless a later backup succeeded [43]", async ({ rig }) => {
  await rig.restartWorker();
  await rig.store.writeNote("backup-failure", { at: rig.now - 1, value: "" });
  await rig.store.writeNote("backup", { at: rig.now, value: "" });
  await rig.deliverNew({ route: "mail" });
  expect(rig.alarmsMailed()).toHaveLength(0);
  await rig.store.writeNote("backup-failure", { at: rig.now + 1, value: "" });
  await rig.advance(MINUTE);
  expect(rig.alarmsMailed()[0]?.parsed.text).toContain("백업하지 못하고");
});

test.for([
  ["undelivered", "goes out by mail at once", 5 * SECOND],
  ["queued", "goes out by mail after 30 minutes", STATUS_DEADLINE_MS],
  ["sent", "counts as arrived after 30 minutes", STATUS_DEADLINE_MS],
  ["unknown", "goes out by mail after 30 minutes", STATUS_DEADLINE_MS],
] as const)("a text with status %s %s [16][17]", async ([status, _what, after], { rig }) => {
  rig.twilio.messagesBecome = { status, ...(status === "undelivered" && { code: 30003 }) };
  if (status === "unknown") rig.twilio.misbehaviourOnGet = { status: 500 };
  await rig.restartWorker();
  await rig.deliverNew();
  await rig.advanceInSteps(after - SECOND, MINUTE);
  await rig.expectCounts({ sent: 1 });
  await rig.advance(SECOND);
  await rig.expectCounts({ done: 1 });
  expect(rig.twilio.messages).toHaveLength(1);
  const instead = status === "sent" ? [] : [expect.stringMatching(/^\[문자 대신\] /)];
  expect(rig.applicationMailSubjects()).toEqual(instead);
  const told = rig.alarmsMailed().map(({ parsed }) => parsed.text);
  const stuck = status === "queued" ? [expect.stringContaining("문자를 내보내지 못하고")] : [];
  if (status !== "undelivered") expect(told).toEqual(stuck);
});

test("a mail server slow after the final dot gets each mail once [46]", async ({ rig }) => {
  const thinks = Promise.withResolvers<void>();
  rig.smtp.always({ slow: { finalDot: () => thinks.promise } });
  await rig.restartWorker({ mail: rig.openMail() });
  for (let count = 0; count < 2; count++) await rig.apply({ route: "mail" });
  await rig.worker.runPass();
  await expect.poll(() => rig.smtp.mails.length).toBe(2);
  for (let minutes = 0; minutes < 9; minutes++) {
    rig.now += MINUTE;
    await rig.worker.runPass();
  }
  thinks.resolve();
  await rig.runUntilIdle();
  await rig.expectCounts({ done: 2 });
  expect(rig.smtp.mails).toHaveLength(2);
});

test("a silent mail server delays no SMS [47]", async ({ rig }) => {
  rig.smtp.always({ slow: { sender: () => new Promise(() => undefined) } });
  await rig.restartWorker();
  const { slots } = rig.openMail();
  for (let count = 0; count < slots + 3; count++) await rig.apply({ route: "mail" });
  await rig.worker.runPass();
  await expect.poll(() => rig.smtp.attempts).toBe(slots);
  await rig.apply();
  // The waiting mails are due, but a full channel wakes the worker only when a slot is free.
  expect(await rig.worker.runPass()).toBe(5 * SECOND);
  await expect.poll(() => rig.applicationsTexted()).toHaveLength(1);
  expect(rig.smtp.attempts).toBe(slots);
  rig.now += FAILOVER_AFTER_MS;
  await rig.worker.runPass();
  await expect.poll(() => rig.applicationsTexted()).toHaveLength(1 + slots + 3);
});

test("applications that fail over take no more than the other channel's slots", async ({ rig }) => {
  rig.smtp.always({ slow: { sender: () => new Promise(() => undefined) } });
  rig.twilio.always({ status: 401, code: 20003 });
  await rig.restartWorker();
  const { slots } = rig.openMail();
  for (let count = 0; count < 2 * slots; count++) await rig.apply();
  await rig.worker.runPass();
  await expect.poll(() => rig.twilio.requests).toBe(2 * slots);
  for (let pass = 0; pass < 3; pass++) await rig.worker.runPass();
  await expect.poll(() => rig.smtp.attempts).toBe(slots);
});

test("a recorded copy whose text was never sent is not charged", async ({ rig }) => {
  let lost = false;
  const asHolder: Store["asHolder"] = async (holder, work) => {
    const done = await rig.store.asHolder(holder, work);
    const isBegun = done === true;
    if (lost || !isBegun) return done;
    lost = true;
    throw new StorageUnavailable("The database is gone.", "failing");
  };
  const store: Store = { ...rig.store, asHolder };
  await rig.restartWorker({ sms: rig.openSms() }, { hourly: 2, daily: 2 }, { store });
  await rig.deliverNew();
  expect(rig.twilio.messages).toHaveLength(0);
  await rig.advance(FIRST_PAUSES_MS[0] ?? 0);
  expect(rig.twilio.messages).toHaveLength(1);
});
