/** Waiting messages are sent once the channel, the cap or the phone that they wait for is available. */
import { expect } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import { deliveryFindings } from "#lib/delivery/health.ts";
import { createRecorder } from "#lib/delivery/record.ts";
import { FIRST_PAUSES_MS, UNDELIVERED_PAUSE_MS } from "#lib/delivery/retry.ts";
import type { Answer } from "#lib/storage/outcomes.ts";
import { type DeliveryRig, OWNER_MAIL, test } from "#testing/delivery/rig.ts";

test.for([12, 300])(
  "a text is sent after Twilio fails for %i minutes [82]",
  async (minutes, { rig }) => {
    rig.twilio.always({ status: 500 });
    rig.twilio.misbehaviourOnGet = { status: 500 };
    await rig.restartWorker({ sms: rig.openSms() });
    await rig.deliverNew();
    await rig.advanceInSteps(minutes * MINUTE, MINUTE);
    rig.twilio.always(undefined);
    rig.twilio.misbehaviourOnGet = undefined;
    await rig.expectCounts({ waiting: 1, givenUp: 0 });
    await rig.advanceInSteps(2 * HOUR, MINUTE);
    await rig.expectCounts({ done: 1 });
    expect(rig.applicationsTexted()).toHaveLength(1);
  },
);

test("an address keeps its backoff when another address has received the mail [18][19]", async ({
  rig,
}) => {
  const second = "second@practice.example";
  await rig.restartWorker({ sms: rig.openSms(), mail: rig.openMail([OWNER_MAIL, second]) });
  rig.smtp.always({ recipients: { [OWNER_MAIL]: 451, [second]: 451 } });
  await rig.deliverNew({ route: "mail" });
  const [first = 0, next = 0] = FIRST_PAUSES_MS;
  await rig.advanceInSteps(first);
  rig.smtp.always({ recipients: { [second]: 451 } });
  await rig.advanceInSteps(next);
  rig.smtp.always(undefined);
  expect(rig.smtp.mails).toHaveLength(1);
  await rig.advanceInSteps(FIRST_PAUSES_MS[3] ?? 0);
  expect(rig.smtp.mails.map(({ envelopeTo }) => envelopeTo)).toEqual([[OWNER_MAIL], [second]]);
  expect(rig.twilio.messages).toHaveLength(0);
});

const recordTest = (rig: DeliveryRig, answer: Answer) => {
  const tested = { recipient: "+821099990000", segments: 1, answer };
  const { channels, now } = rig;
  const recorder = createRecorder({ channels, now: () => now, random: () => 0 });
  return rig.store.change((trx) => recorder.recordTest(trx, "sms", [tested]));
};

const recordDeliveredTest = (rig: DeliveryRig) => recordTest(rig, { outcome: "delivered" });

test("a rejection of one recipient shows that its channel works [67]", async ({ rig }) => {
  const fault = { error: "", advice: "", about: "recipient" } as const;
  expect(await rig.store.readFaultTimes("sms")).toMatchObject({ lastWorkedAt: undefined });
  await recordTest(rig, { outcome: "rejected", fault });
  expect(await rig.store.readFaultTimes("sms")).toMatchObject({ lastWorkedAt: rig.now });
});

const restart = (rig: DeliveryRig) => rig.restartWorker({ sms: rig.openSms() });

test.for([
  ["a restart", restart],
  ["a delivered test message", recordDeliveredTest],
] as const)("%s sends texts that a wrong login has delayed [83]", async ([, fix], { rig }) => {
  rig.twilio.always({ status: 401, code: 20003 });
  await restart(rig);
  for (let count = 0; count < 3; count++) await rig.apply();
  await rig.advanceInSteps(3 * HOUR, MINUTE);
  rig.twilio.always(undefined);
  await fix(rig);
  await rig.runUntilIdle();
  expect(rig.applicationsTexted()).toHaveLength(3);
});

test.for([
  ["a restart", restart],
  ["a delivered test message", recordDeliveredTest],
  ["a delivered text", (rig: DeliveryRig) => rig.deliverNew()],
] as const)(
  "%s repeats the texts that failed because of the Twilio account [83]",
  async ([, fix], { rig }) => {
    rig.twilio.messagesBecome = { status: "failed", code: 30002 };
    await rig.restartWorker({ sms: rig.openSms() });
    for (let count = 0; count < 2; count++) {
      await rig.deliverNew();
      await rig.advance(5 * SECOND);
    }
    await rig.expectCounts({ waiting: 2 });
    // Twilio accepts the texts of a suspended account, and then reports them as failed.
    expect(rig.applicationsTexted()).toHaveLength(2);
    rig.twilio.messagesBecome = { status: "delivered" };
    await fix(rig);
    await rig.advanceInSteps(MINUTE);
    await rig.expectCounts({ waiting: 0, givenUp: 0 });
  },
);

test("accepted texts that later fail do not end the outage [91]", async ({ rig }) => {
  // Twilio accepts each text, and reports a quarter of an hour later that the text was not sent in time.
  rig.twilio.messagesBecome = { status: "queued" };
  await rig.restartWorker({ sms: rig.openSms() });
  await rig.deliverNew();
  await rig.advanceInSteps(15 * MINUTE, MINUTE);
  rig.twilio.messagesBecome = { status: "failed", code: 30036 };
  for (let count = 0; count < 2; count++) {
    await rig.advanceInSteps(MINUTE);
    await rig.deliverNew();
  }
  await rig.advanceInSteps(4 * HOUR, MINUTE);
  expect(rig.applicationsTexted()).toHaveLength(3);
  await rig.expectCounts({ waiting: 3, givenUp: 0 });
  await rig.advanceInSteps(2 * DAY, 10 * MINUTE);
  await rig.expectCounts({ waiting: 3, givenUp: 0 });
  rig.twilio.messagesBecome = { status: "delivered" };
  await rig.deliverNew();
  await rig.advanceInSteps(MINUTE);
  await rig.expectCounts({ waiting: 0, done: 4 });
});

test("a text waits for the provider's retry time even if other texts succeed [13]", async ({
  rig,
}) => {
  rig.twilio.next({ status: 429, code: 20429, headers: { "retry-after": "1800" } });
  await rig.restartWorker({ sms: rig.openSms() });
  await rig.deliverNew();
  await rig.deliverNew();
  await rig.advance(10 * MINUTE);
  expect(rig.applicationsTexted()).toHaveLength(1);
  await rig.advanceInSteps(25 * MINUTE, MINUTE);
  expect(rig.applicationsTexted()).toHaveLength(2);
});

test("a text whose early retry gets a 429 waits for the provider's retry time", async ({ rig }) => {
  const taken = { text: '{"sid":"SM1","status":"sent"}' };
  const busy = { status: 429, headers: { "retry-after": "1800" } };
  rig.twilio.next({ status: 429 }, taken, busy);
  await rig.restartWorker({ sms: rig.openSms() });
  // The success of the second application makes the first application due at once.
  for (let count = 0; count < 2; count++) await rig.deliverNew();
  await rig.advanceInSteps(29 * MINUTE, MINUTE);
  expect(rig.twilio.requests).toBe(3);
  await rig.advanceInSteps(2 * MINUTE, MINUTE);
  expect(rig.applicationsTexted()).toHaveLength(1);
});

test("waiting suspicious applications delay no other text [84]", async ({ rig }) => {
  await rig.restartWorker({ sms: rig.openSms() });
  for (let count = 0; count < 40; count++) await rig.apply({ suspicion: "honeypot" });
  await rig.runUntilIdle();
  const automated = rig.applicationsTexted().length;
  expect(automated).toBeLessThanOrEqual(4);
  await rig.expectCounts({ oldestWaitingSince: rig.now });
  await rig.deliverNew();
  expect(rig.applicationsTexted()).toHaveLength(automated + 1);
  await rig.advance(HOUR + MINUTE);
  const settings = { siteUrl: "https://practice.example", sms: { to: [] }, mail: undefined };
  const sentence = expect.stringMatching(/^문자 한도 때문에 기다리는 신청이 \d\d건/);
  const later = rig.now + HOUR - MINUTE;
  expect(await deliveryFindings(rig.store, settings, later)).toMatchObject([
    { level: "warn", sentence },
  ]);
  await rig.restartWorker({ sms: rig.openSms() }, { hourly: 1_000, daily: 1_000 });
  await rig.runUntilIdle();
  await rig.expectCounts({ waiting: 0 });
});

test("a phone that was off gets a second text hours later [65]", async ({ rig }) => {
  rig.twilio.messagesBecome = { status: "undelivered", code: 30003 };
  await rig.restartWorker({ sms: rig.openSms() });
  await rig.deliverNew();
  await rig.advance(MINUTE);
  await rig.restartWorker({ sms: rig.openSms() });
  await rig.advanceInSteps(UNDELIVERED_PAUSE_MS.least - HOUR, 10 * MINUTE);
  expect(rig.applicationsTexted()).toHaveLength(1);
  await rig.expectCounts({ waiting: 1, givenUp: 0 });
  rig.twilio.messagesBecome = { status: "delivered" };
  await rig.advanceInSteps(2 * HOUR, 10 * MINUTE);
  expect(rig.applicationsTexted()).toHaveLength(2);
  await rig.expectCounts({ done: 1 });
});

test("a text that fails twice while others arrive is not repeated after each of them", async ({
  rig,
}) => {
  const failed = { status: "undelivered", code: 30009 };
  rig.twilio.messagesBecome = failed;
  await rig.restartWorker({ sms: rig.openSms() });
  await rig.deliverNew();
  await rig.advance(5 * SECOND);
  for (let count = 0; count < 3; count++) {
    rig.twilio.messagesBecome = { status: "delivered" };
    await rig.deliverNew();
    await rig.advance(5 * SECOND);
    rig.twilio.messagesBecome = failed;
    await rig.advance(5 * SECOND);
  }
  expect(rig.applicationsTexted()).toHaveLength(2 + 3);
  await rig.expectCounts({ waiting: 1, givenUp: 0 });
});

test("a mail that is rejected for its content is not repeated after each other mail", async ({
  rig,
}) => {
  await rig.restartWorker({ mail: rig.openMail() });
  rig.smtp.next({ data: "554 5.7.1 spam" });
  await rig.deliverNew({ route: "mail" });
  for (let count = 0; count < 3; count++) await rig.deliverNew({ route: "mail" });
  expect(rig.smtp.mails).toHaveLength(3);
  await rig.advance(31 * MINUTE);
  expect(rig.smtp.mails).toHaveLength(4);
});
