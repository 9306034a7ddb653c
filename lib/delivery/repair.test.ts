/** Waiting messages are sent once the channel, the cap or the phone that they wait for is available. */
import { expect } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import { deliveryFindings } from "#lib/delivery/health.ts";
import { createRecorder } from "#lib/delivery/record.ts";
import { FIRST_PAUSES, PHONE_OFF_PAUSE } from "#lib/delivery/retry.ts";
import { type EngineWithPeers, OWNER_MAIL, test } from "#testing/delivery/engine-with-peers.ts";

test.for([12, 300])(
  "a text is sent after Twilio fails for %i minutes [82]",
  async (minutes, { engine }) => {
    engine.twilio.always({ status: 500 });
    engine.twilio.misbehaviourOnGet = { status: 500 };
    await engine.startWorker({ sms: engine.openSms() });
    await engine.deliverNew();
    await engine.advanceInSteps(minutes * MINUTE, MINUTE);
    engine.twilio.always(undefined);
    engine.twilio.misbehaviourOnGet = undefined;
    await engine.expectCounts({ waiting: 1, givenUp: 0 });
    await engine.advanceInSteps(2 * HOUR, MINUTE);
    await engine.expectCounts({ done: 1 });
    expect(engine.applicationsTexted()).toHaveLength(1);
  },
);

test("an address keeps its backoff when another address has received the mail [18][19]", async ({
  engine,
}) => {
  const second = "second@practice.example";
  await engine.startWorker({ sms: engine.openSms(), mail: engine.openMail([OWNER_MAIL, second]) });
  engine.smtp.always({ recipients: { [OWNER_MAIL]: 451, [second]: 451 } });
  await engine.deliverNew({ route: "mail" });
  const [first = 0, next = 0] = FIRST_PAUSES;
  await engine.advanceInSteps(first);
  engine.smtp.always({ recipients: { [second]: 451 } });
  await engine.advanceInSteps(next);
  engine.smtp.always(undefined);
  expect(engine.smtp.mails).toHaveLength(1);
  await engine.advanceInSteps(FIRST_PAUSES[3] ?? 0);
  expect(engine.smtp.mails.map(({ envelopeTo }) => envelopeTo)).toEqual([[OWNER_MAIL], [second]]);
  expect(engine.twilio.messages).toHaveLength(0);
});

const testDelivered = (engine: EngineWithPeers) => {
  const answer = { outcome: "delivered" } as const;
  const tested = { recipient: "+821099990000", segments: 1, answer };
  const { channels, now } = engine;
  const recorder = createRecorder({ channels, now: () => now, random: () => 0 });
  return engine.store.change((trx) => recorder.recordTest(trx, "sms", [tested]));
};

const restart = (engine: EngineWithPeers) => engine.startWorker({ sms: engine.openSms() });

test.for([
  ["a restart", restart],
  ["a delivered test message", testDelivered],
] as const)("%s sends texts that a wrong login has delayed [83]", async ([, fix], { engine }) => {
  engine.twilio.always({ status: 401, code: 20003 });
  await restart(engine);
  for (let count = 0; count < 3; count++) await engine.apply();
  await engine.advanceInSteps(3 * HOUR, MINUTE);
  engine.twilio.always(undefined);
  await fix(engine);
  await engine.runUntilIdle();
  expect(engine.applicationsTexted()).toHaveLength(3);
});

test.for([
  ["a restart", restart],
  ["a delivered test message", testDelivered],
  ["a delivered text", (engine: EngineWithPeers) => engine.deliverNew()],
] as const)(
  "%s repeats the texts that failed because of the Twilio account [83]",
  async ([, fix], { engine }) => {
    engine.twilio.becomes = { status: "failed", code: 30002 };
    await engine.startWorker({ sms: engine.openSms() });
    for (let count = 0; count < 2; count++) {
      await engine.deliverNew();
      await engine.advance(5 * SECOND);
    }
    await engine.expectCounts({ waiting: 2 });
    // Twilio accepts the texts of a suspended account, and then reports them as failed.
    expect(engine.applicationsTexted()).toHaveLength(2);
    engine.twilio.becomes = { status: "delivered" };
    await fix(engine);
    await engine.advanceInSteps(MINUTE);
    await engine.expectCounts({ waiting: 0, givenUp: 0 });
  },
);

test("an acceptance sends no text into an outage that begins after the acceptance [91]", async ({
  engine,
}) => {
  // Twilio accepts each text, and reports a quarter of an hour later that its route does not take it.
  engine.twilio.becomes = { status: "queued" };
  await engine.startWorker({ sms: engine.openSms() });
  await engine.deliverNew();
  await engine.advanceInSteps(15 * MINUTE, MINUTE);
  engine.twilio.becomes = { status: "failed", code: 30036 };
  for (let count = 0; count < 2; count++) {
    await engine.advanceInSteps(MINUTE);
    await engine.deliverNew();
  }
  await engine.advanceInSteps(4 * HOUR, MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(3);
  await engine.expectCounts({ waiting: 3, givenUp: 0 });
  await engine.advanceInSteps(2 * DAY, 10 * MINUTE);
  await engine.expectCounts({ waiting: 3, givenUp: 0 });
  engine.twilio.becomes = { status: "delivered" };
  await engine.deliverNew();
  await engine.advanceInSteps(MINUTE);
  await engine.expectCounts({ waiting: 0, done: 4 });
});

test("a text waits for the provider's retry time even if other texts succeed [13]", async ({
  engine,
}) => {
  engine.twilio.next({ status: 429, code: 20429, headers: { "retry-after": "1800" } });
  await engine.startWorker({ sms: engine.openSms() });
  await engine.deliverNew();
  await engine.deliverNew();
  await engine.advance(10 * MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(1);
  await engine.advanceInSteps(25 * MINUTE, MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(2);
});

test("a text whose early retry is refused waits for the provider's retry time", async ({
  engine,
}) => {
  const taken = { text: '{"sid":"SM1","status":"sent"}' };
  const busy = { status: 429, headers: { "retry-after": "1800" } };
  engine.twilio.next({ status: 429 }, taken, busy);
  await engine.startWorker({ sms: engine.openSms() });
  // The success of the second application makes the first application due at once.
  for (let count = 0; count < 2; count++) await engine.deliverNew();
  await engine.advanceInSteps(29 * MINUTE, MINUTE);
  expect(engine.twilio.requests).toBe(3);
  await engine.advanceInSteps(2 * MINUTE, MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(1);
});

test("waiting suspicious applications delay no other text [84]", async ({ engine }) => {
  await engine.startWorker({ sms: engine.openSms() });
  for (let count = 0; count < 40; count++) await engine.apply({ suspicion: "honeypot" });
  await engine.runUntilIdle();
  const automated = engine.applicationsTexted().length;
  expect(automated).toBeLessThanOrEqual(4);
  await engine.expectCounts({ oldestWaitingSince: engine.now });
  await engine.deliverNew();
  expect(engine.applicationsTexted()).toHaveLength(automated + 1);
  await engine.advance(HOUR + MINUTE);
  const settings = { siteUrl: "https://practice.example", sms: { to: [] }, mail: undefined };
  const sentence = expect.stringMatching(/^문자 한도 때문에 기다리는 신청이 \d\d건/);
  const later = engine.now + HOUR - MINUTE;
  expect(await deliveryFindings(engine.store, settings, later)).toMatchObject([
    { level: "warn", sentence },
  ]);
  await engine.startWorker({ sms: engine.openSms() }, { hourly: 1_000, daily: 1_000 });
  await engine.runUntilIdle();
  await engine.expectCounts({ waiting: 0 });
});

test("a phone that was off gets a second text hours later [65]", async ({ engine }) => {
  engine.twilio.becomes = { status: "undelivered", code: 30003 };
  await engine.startWorker({ sms: engine.openSms() });
  await engine.deliverNew();
  await engine.advance(MINUTE);
  await engine.startWorker({ sms: engine.openSms() });
  await engine.advanceInSteps(PHONE_OFF_PAUSE.least - HOUR, 10 * MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(1);
  await engine.expectCounts({ waiting: 1, givenUp: 0 });
  engine.twilio.becomes = { status: "delivered" };
  await engine.advanceInSteps(2 * HOUR, 10 * MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(2);
  await engine.expectCounts({ done: 1 });
});
