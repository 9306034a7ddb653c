/** The outcome of a text message decides whether it is sent again, and what it costs under the caps. */
import { expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import type { Acceptance } from "#lib/application/stored-application.ts";
import { GIVE_UP_DAYS } from "#lib/delivery/retry.ts";
import {
  advanceClock,
  advanceClockInSteps,
  applicationsTexted,
  deliverNew,
  expectApplicationCounts,
  now,
  openTestSms,
  startWorker,
  storeApplication,
  testDatabase,
  twilio,
} from "#testing/delivery/engine-with-peers.ts";
import { runWorkerOnce } from "#testing/delivery/run-worker-once.ts";
import { anApplication } from "#testing/storage/temporary-store.ts";

async function attemptsOf(stored: Acceptance) {
  if (!("applicationId" in stored)) throw new Error(stored.outcome);
  return (await testDatabase.store.find(stored.applicationId))?.attempts;
}

test("a text that was never sent frees its segments", async () => {
  const caps = { hourly: 2, daily: 100 };
  twilio.next({ status: 500 });
  await startWorker({ sms: openTestSms() }, caps);
  const stored = await deliverNew();
  await advanceClockInSteps(31 * MINUTE, MINUTE);
  expect(applicationsTexted()).toHaveLength(1);
  const error = expect.stringContaining("500");
  expect(await attemptsOf(stored)).toMatchObject([{ outcome: "not-sent", error }, {}]);
  twilio.becomes = { status: "undelivered", code: 30003 };
  await advanceClock(HOUR);
  await deliverNew();
  await advanceClock(MINUTE);
  await deliverNew();
  await advanceClock(MINUTE);
  expect(applicationsTexted()).toHaveLength(2);
});

test("the text about a forgotten person counts under the caps", async () => {
  await startWorker({ sms: openTestSms() }, { hourly: 2, daily: 2 });
  await deliverNew();
  await testDatabase.store.forgetPhone(anApplication().phone);
  await testDatabase.store.deleteExpired(now - DAY);
  await deliverNew();
  expect(twilio.messages).toHaveLength(1);
});

test.each([
  ["accepts and then rejects", 1, "SM1"],
  ["rejects at once", 0, undefined],
])("the charge of a text that Twilio %s is %i", async (_how, segments, providerId) => {
  const stored = await storeApplication();
  const fault = { error: "30002", advice: "", about: "channel" } as const;
  await runWorkerOnce(testDatabase, { sms: { outcome: "rejected", providerId, fault } }, now);
  expect(await attemptsOf(stored)).toMatchObject([{ outcome: "rejected", segments }]);
});

test("a text that a search has found has no error", async () => {
  twilio.next({ status: 500, stores: true });
  await startWorker({ sms: openTestSms() });
  const stored = await deliverNew();
  await advanceClockInSteps(2 * MINUTE);
  expect(await attemptsOf(stored)).toMatchObject([{ outcome: "delivered", error: undefined }]);
});

test("a text that Twilio has not sent does not count as delivered", async () => {
  twilio.becomes = { status: "queued" };
  await startWorker({ sms: openTestSms() });
  await deliverNew();
  await advanceClockInSteps(3 * HOUR, MINUTE);
  await expectApplicationCounts({ sent: 1, done: 0 });
  twilio.becomes = { status: "failed", code: 30036 };
  await advanceClock(5 * MINUTE);
  await expectApplicationCounts({ waiting: 1 });
});

test("a sent text counts as arrived after 30 minutes without a mail channel", async () => {
  twilio.becomes = { status: "sent" };
  await startWorker({ sms: openTestSms() });
  await deliverNew();
  await advanceClockInSteps(30 * MINUTE, MINUTE);
  await expectApplicationCounts({ done: 1 });
});

test("a text whose status stays unknown for a day is not sent again", async () => {
  twilio.misbehaviourOnGet = { status: 500 };
  await startWorker({ sms: openTestSms() });
  await deliverNew();
  await advanceClockInSteps(DAY, HOUR);
  await expectApplicationCounts({ done: 1 });
  expect(applicationsTexted()).toHaveLength(1);
});

test("a text that Twilio neither confirms nor denies is given up in the end", async () => {
  twilio.next({ status: 500 });
  twilio.odd = [{ sid: "SM1", body: null, date_created: null }];
  await startWorker({ sms: openTestSms() });
  await deliverNew();
  await advanceClockInSteps(HOUR);
  expect(twilio.listRequests).toBeLessThan(10);
  await expectApplicationCounts({ waiting: 1 });
  await advanceClockInSteps((GIVE_UP_DAYS + 1) * DAY, 30 * MINUTE);
  await expectApplicationCounts({ givenUp: 1 });
  const told = /^전달하지 못한 운전연수 신청이 1건 있습니다\. .*설정해 주세요\. 서버에 보관되어/;
  expect(twilio.messages.map(({ body }) => body)).toEqual([expect.stringMatching(told)]);
});
