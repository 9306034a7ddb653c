import { existsSync, rmSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import { CHANNEL_NAMES } from "#lib/channels/names.ts";
import { findFaults } from "#lib/delivery/faults.ts";
import { resendApplication } from "#lib/delivery/resend.ts";
import { FAILOVER_AFTER, FIRST_PAUSES, STATUS_DEADLINE } from "#lib/delivery/retry.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Store } from "#lib/storage/store.ts";
import { test } from "#testing/delivery/engine-with-peers.ts";
import { anApplication } from "#testing/storage/temporary-store.ts";

test("a rejecting channel fails over at once [15][49]", async ({ engine }) => {
  engine.twilio.always({ status: 401, code: 20003 });
  await engine.startWorker();
  await engine.deliverNew();
  await engine.expectCounts({ done: 1 });
  expect(engine.applicationsMailed()).toHaveLength(1);
  expect(engine.alarmsMailed()).toHaveLength(1);
  expect(engine.alarmsMailed()[0]?.parsed.text).toContain("Twilio가 이 계정의 요청을 거부했습니다");

  await engine.deliverNew();
  await engine.advance(2 * HOUR);
  await engine.startWorker();
  await engine.deliverNew();
  expect(engine.alarmsMailed()).toHaveLength(1);

  await engine.advance(23 * HOUR);
  // A mail program hides a second mail that has the Message-ID of an earlier one.
  expect(new Set(engine.alarmsMailed().map(({ parsed }) => parsed.messageId)).size).toBe(2);
});

test("a channel that cannot be reached fails over after 15 minutes [22]", async ({ engine }) => {
  await engine.startWorker();
  await engine.twilio.stop();
  await engine.deliverNew();
  await engine.advance(FAILOVER_AFTER - MINUTE);
  expect(engine.smtp.mails).toHaveLength(0);
  await engine.advance(MINUTE);
  expect(engine.applicationsMailed()).toHaveLength(1);
  expect(engine.alarmsMailed()).toHaveLength(1);
  await engine.deliverNew();
  expect(engine.applicationsMailed()).toHaveLength(2);
  await engine.twilio.start();
});

test("an alarm that no channel can send does not stay open", async ({ engine }) => {
  await engine.startWorker();
  await Promise.all([engine.twilio.stop(), engine.smtp.stop()]);
  await engine.deliverNew();
  await engine.advanceInSteps(FAILOVER_AFTER + 5 * MINUTE, MINUTE);
  const { store } = engine.database;
  for (const topic of CHANNEL_NAMES)
    expect((await store.findEarlierNotice({ kind: "alarm", topic }))?.state).not.toBe("open");
  await Promise.all([engine.twilio.start(), engine.smtp.start()]);
});

test("applications become files while no channel is configured [24]", async ({ engine }) => {
  writeFileSync(engine.messageFolder, "a file in the folder's place");
  await engine.deliverNew();
  await engine.expectCounts({ waiting: 1, waitingForCap: 0 });
  rmSync(engine.messageFolder);
  await engine.advance(FIRST_PAUSES[0] ?? 0);
  await engine.deliverNew({ route: "mail" });
  await engine.expectCounts({ filed: 2, done: 0 });
  rmSync(engine.messageFolder, { recursive: true });
  await engine.startWorker({});
  await engine.runUntilIdle();
  await engine.expectCounts({ filed: 2 });
  expect(existsSync(engine.messageFolder)).toBe(false);
  await engine.startWorker({ mail: engine.openMail() });
  await engine.runUntilIdle();
  await engine.expectCounts({ filed: 0, done: 2 });
  const isMarked = engine.applicationsMailed().map((subject) => subject.startsWith("[문자 대신] "));
  expect(isMarked.toSorted()).toEqual([false, true]);
});

test("an application over the cap goes out once by mail [30]", async ({ engine }) => {
  await engine.startWorker(
    { sms: engine.openSms(), mail: engine.openMail() },
    { hourly: 6, daily: 100 },
  );
  for (let count = 0; count < 5; count++) await engine.deliverNew();
  await engine.startWorker(
    { sms: engine.openSms(), mail: engine.openMail() },
    { hourly: 4, daily: 100 },
  );
  await engine.deliverNew({ route: "mail" });
  await engine.advance(10 * MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(3);
  const marked = engine
    .applicationsMailed()
    .filter((subject) => subject.startsWith("[문자 한도] "));
  expect([marked.length, engine.applicationsMailed().length]).toEqual([2, 3]);
  await engine.expectCounts({ done: 6, waitingForCap: 0 });
});

test("an application over the cap is texted later if the mail server rejects the mail", async ({
  engine,
}) => {
  engine.smtp.always({ sender: 550 });
  await engine.startWorker(
    { sms: engine.openSms(), mail: engine.openMail() },
    { hourly: 4, daily: 4 },
  );
  const gap = 2 * HOUR + 10 * MINUTE;
  for (let count = 0; count < 3; count++) {
    await engine.advance(gap);
    await engine.deliverNew();
  }
  // The day's cap has room for the third text once the first text is a day old.
  await engine.advanceInSteps(DAY - 2 * gap - 1, MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(2);
  await engine.advance(1);
  expect(engine.applicationsTexted()).toHaveLength(3);
});

test("the first success of a channel sends the applications that wait for it [23][51]", async ({
  engine,
}) => {
  engine.twilio.becomes = { status: "sent" };
  engine.twilio.always({ status: 401, code: 20003 });
  await engine.startWorker({ sms: engine.openSms() });
  for (let count = 0; count < 3; count++) await engine.deliverNew();
  await engine.advance(31 * MINUTE);
  expect(engine.twilio.messages).toHaveLength(0);
  engine.twilio.always(undefined);
  await engine.advance(MINUTE);
  expect(engine.twilio.messages).toHaveLength(0);
  await engine.deliverNew();
  expect(engine.applicationsTexted().length).toBeGreaterThanOrEqual(1);
  await engine.advance(MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(4);
});

test("a resend of a long application mails its full text again", async ({ engine }) => {
  await engine.startWorker();
  const stored = await engine.deliverNew({
    application: anApplication({ message: "길".repeat(400) }),
  });
  if (!("applicationId" in stored)) throw new Error(stored.outcome);
  const { applicationId } = stored;
  await resendApplication(engine.store, applicationId, { again: true, now: engine.now });
  await engine.runUntilIdle();
  expect([engine.applicationsTexted().length, engine.applicationsMailed().length]).toEqual([2, 2]);
});

test("a phone that is off for a week raises one alarm [48]", async ({ engine }) => {
  engine.twilio.becomes = { status: "undelivered", code: 30003 };
  await engine.startWorker();
  for (let hours = 0; hours < 7 * 24; hours += 8) {
    if (hours % 24 === 8) await engine.apply();
    await engine.advance(8 * HOUR);
  }
  expect(engine.applicationsMailed()).toHaveLength(7);
  expect(engine.alarmsMailed()).toHaveLength(1);
  expect(engine.alarmsMailed()[0]?.parsed.text).toContain("010-9999-0000에 문자가 전달되지");
  expect(engine.twilio.messages.every(({ body }) => body.startsWith("운전연수 신청"))).toBe(true);
  expect(await findFaults(engine.store, () => [])).toEqual([]);
  for (const status of ["delivered", "undelivered"]) {
    engine.twilio.becomes = { status, code: 30003 };
    await engine.deliverNew();
    await engine.advance(DAY);
  }
  expect(engine.alarmsMailed()).toHaveLength(2);
});

test("a failed backup raises an alarm unless a later backup succeeded [43]", async ({ engine }) => {
  await engine.startWorker();
  await engine.store.writeNote("backup-failure", { at: engine.now - 1, value: "" });
  await engine.store.writeNote("backup", { at: engine.now, value: "" });
  await engine.deliverNew({ route: "mail" });
  expect(engine.alarmsMailed()).toHaveLength(0);
  await engine.store.writeNote("backup-failure", { at: engine.now + 1, value: "" });
  await engine.advance(MINUTE);
  expect(engine.alarmsMailed()[0]?.parsed.text).toContain("백업하지 못하고");
});

test.for([
  ["undelivered", "goes out by mail at once", 5 * SECOND],
  ["queued", "goes out by mail after 30 minutes", STATUS_DEADLINE],
  ["sent", "counts as arrived after 30 minutes", STATUS_DEADLINE],
  ["unknown", "goes out by mail after 30 minutes", STATUS_DEADLINE],
] as const)("a text that is %s %s [16][17]", async ([status, _what, after], { engine }) => {
  engine.twilio.becomes = { status, ...(status === "undelivered" && { code: 30003 }) };
  if (status === "unknown") engine.twilio.misbehaviourOnGet = { status: 500 };
  await engine.startWorker();
  await engine.deliverNew();
  await engine.advanceInSteps(after - SECOND, MINUTE);
  await engine.expectCounts({ sent: 1 });
  await engine.advance(SECOND);
  await engine.expectCounts({ done: 1 });
  expect(engine.twilio.messages).toHaveLength(1);
  const instead = status === "sent" ? [] : [expect.stringMatching(/^\[문자 대신\] /)];
  expect(engine.applicationsMailed()).toEqual(instead);
  const told = engine.alarmsMailed().map(({ parsed }) => parsed.text);
  const stuck = status === "queued" ? [expect.stringContaining("문자를 내보내지 못하고")] : [];
  if (status !== "undelivered") expect(told).toEqual(stuck);
});

test("a mail server slow after the final dot gets each mail once [46]", async ({ engine }) => {
  const thinks = Promise.withResolvers<void>();
  engine.smtp.always({ slow: { finalDot: () => thinks.promise } });
  await engine.startWorker({ mail: engine.openMail() });
  for (let count = 0; count < 2; count++) await engine.apply({ route: "mail" });
  await engine.worker.runPass();
  await expect.poll(() => engine.smtp.mails.length).toBe(2);
  for (let minutes = 0; minutes < 9; minutes++) {
    engine.now += MINUTE;
    await engine.worker.runPass();
  }
  thinks.resolve();
  await engine.runUntilIdle();
  await engine.expectCounts({ done: 2 });
  expect(engine.smtp.mails).toHaveLength(2);
});

test("a silent mail server delays no SMS [47]", async ({ engine }) => {
  engine.smtp.always({ slow: { sender: () => new Promise(() => undefined) } });
  await engine.startWorker();
  const { slots } = engine.openMail();
  for (let count = 0; count < slots + 3; count++) await engine.apply({ route: "mail" });
  await engine.worker.runPass();
  await expect.poll(() => engine.smtp.attempts).toBe(slots);
  await engine.apply();
  // The waiting mails are due, but a full channel wakes the worker only when a slot is free.
  expect(await engine.worker.runPass()).toBe(5 * SECOND);
  await expect.poll(() => engine.applicationsTexted()).toHaveLength(1);
  expect(engine.smtp.attempts).toBe(slots);
  engine.now += FAILOVER_AFTER;
  await engine.worker.runPass();
  await expect.poll(() => engine.applicationsTexted()).toHaveLength(1 + slots + 3);
});

test("applications that fail over take no more than the other channel's slots", async ({
  engine,
}) => {
  engine.smtp.always({ slow: { sender: () => new Promise(() => undefined) } });
  engine.twilio.always({ status: 401, code: 20003 });
  await engine.startWorker();
  const { slots } = engine.openMail();
  for (let count = 0; count < 2 * slots; count++) await engine.apply();
  await engine.worker.runPass();
  await expect.poll(() => engine.twilio.requests).toBe(2 * slots);
  for (let pass = 0; pass < 3; pass++) await engine.worker.runPass();
  await expect.poll(() => engine.smtp.attempts).toBe(slots);
});

test("a recorded copy whose text was never sent is not charged", async ({ engine }) => {
  let lost = false;
  const asHolder: Store["asHolder"] = async (holder, work) => {
    const done = await engine.store.asHolder(holder, work);
    const isBegun = done === true;
    if (lost || !isBegun) return done;
    lost = true;
    throw new StorageUnavailable("The database is gone.", "failing");
  };
  const store: Store = { ...engine.store, asHolder };
  await engine.startWorker({ sms: engine.openSms() }, { hourly: 2, daily: 2 }, { store });
  await engine.deliverNew();
  expect(engine.twilio.messages).toHaveLength(0);
  await engine.advance(FIRST_PAUSES[0] ?? 0);
  expect(engine.twilio.messages).toHaveLength(1);
});
