/** Texts whose status Twilio reports late or never. */
import { expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "#lib/application/durations.ts";
import {
  advanceClock,
  advanceClockInSteps,
  applicationsMailed,
  applicationsTexted,
  deliver,
  expectCounts,
  openTestMail,
  openTestSms,
  startWorker,
  twilio,
} from "#testing/delivery/engine-with-peers.ts";

test.each([
  ["that Twilio has sent counts as delivered", () => ({ sms: openTestSms() }), "sent", 0],
  [
    "without a status goes out by mail",
    () => ({ sms: openTestSms(), mail: openTestMail() }),
    "",
    1,
  ],
])("a text %s after 30 minutes", async (_what, channels, status, mails) => {
  twilio.becomes = { status };
  if (status === "") twilio.misbehaviourOnGet = { status: 500 };
  await startWorker(channels());
  await deliver();
  await advanceClockInSteps(29 * MINUTE, MINUTE);
  await expectCounts({ sent: 1 });
  await advanceClockInSteps(2 * MINUTE, MINUTE);
  await expectCounts({ done: 1 });
  expect(applicationsMailed()).toHaveLength(mails);
});

test("a text that Twilio has not sent does not count as delivered", async () => {
  twilio.becomes = { status: "queued" };
  await startWorker({ sms: openTestSms() });
  await deliver();
  await advanceClockInSteps(3 * HOUR, MINUTE);
  await expectCounts({ sent: 1, done: 0 });
  twilio.becomes = { status: "failed", code: 30036 };
  await advanceClock(5 * MINUTE);
  await expectCounts({ waiting: 1 });
});

test("a text that Twilio neither confirms nor denies is given up after five days", async () => {
  twilio.next({ status: 500 });
  twilio.odd = [{ sid: "SM1", body: null, date_created: null }];
  await startWorker({ sms: openTestSms() });
  await deliver();
  await advanceClockInSteps(HOUR);
  expect(twilio.listRequests).toBeLessThan(10);
  await expectCounts({ waiting: 1 });
  await advanceClockInSteps(6 * DAY, 30 * MINUTE);
  await expectCounts({ givenUp: 1 });
  expect(applicationsTexted()).toHaveLength(0);
});
