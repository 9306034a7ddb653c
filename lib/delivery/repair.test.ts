/** Waiting jobs are sent once the channel, the cap or the phone that they wait for is available. */
import { expect } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import { deliveryFindings } from "#lib/delivery/health.ts";
import { FIRST_PAUSES, LATER_PAUSE, PHONE_OFF_RETRY_AFTER } from "#lib/delivery/retry.ts";
import { type EngineWithPeers, OWNER_MAIL, test } from "#testing/delivery/engine-with-peers.ts";
import {
  aNewApplication,
  anApplication,
  openTemporaryStore,
} from "#testing/storage/temporary-store.ts";

test.for([12, 300])(
  "a text is sent after Twilio fails for %i minutes",
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

test("the backoff restarts once one of two addresses has received the mail", async ({ engine }) => {
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
  await engine.advanceInSteps(first);
  expect(engine.smtp.mails.map(({ envelopeTo }) => envelopeTo)).toEqual([[OWNER_MAIL], [second]]);
  expect(engine.twilio.messages).toHaveLength(0);
});

test("a refused address does not delay the retry of another address", async ({ engine }) => {
  const refused = "refused@practice.example";
  await engine.startWorker({ mail: engine.openMail([OWNER_MAIL, refused]) });
  engine.smtp.always({ recipients: { [OWNER_MAIL]: 451, [refused]: 550 } });
  await engine.deliverNew({ route: "mail" });
  engine.smtp.always({ recipients: { [refused]: 550 } });
  await engine.advance(FIRST_PAUSES[0] ?? 0);
  expect(engine.smtp.mails).toHaveLength(1);
});

const testDelivered = (engine: EngineWithPeers) => {
  const begun = { channel: "sms", recipient: "+821099990000", begunAt: engine.now } as const;
  const tested = { ...begun, outcome: "delivered", segments: 1 } as const;
  return engine.store.closeAttempt(tested, engine.now);
};

const restart = (engine: EngineWithPeers) => engine.startWorker({ sms: engine.openSms() });

test.for([
  ["a restart", restart],
  ["a delivered test message", testDelivered],
] as const)("%s sends the texts that a wrong login has delayed", async ([, mend], { engine }) => {
  engine.twilio.always({ status: 401, code: 20003 });
  await restart(engine);
  for (let count = 0; count < 3; count++) await engine.apply();
  await engine.advanceInSteps(3 * HOUR, MINUTE);
  engine.twilio.always(undefined);
  await mend(engine);
  await engine.runUntilIdle();
  expect(engine.applicationsTexted()).toHaveLength(3);
});

test.for([
  ["a restart", restart],
  ["a delivered test message", testDelivered],
  ["a delivered text", (engine: EngineWithPeers) => engine.deliverNew()],
] as const)(
  "%s repeats the texts that failed because of the Twilio account",
  async ([, mend], { engine }) => {
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
    await mend(engine);
    await engine.advanceInSteps(MINUTE);
    await engine.expectCounts({ waiting: 0, givenUp: 0 });
  },
);

test("a job waits for the provider's retry time even if other jobs succeed", async ({ engine }) => {
  engine.twilio.next({ status: 429, code: 20429, headers: { "retry-after": "1800" } });
  await engine.startWorker({ sms: engine.openSms() });
  await engine.deliverNew();
  await engine.deliverNew();
  await engine.advance(10 * MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(1);
  await engine.advanceInSteps(25 * MINUTE, MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(2);
});

test("a job whose early retry is refused waits for the provider's retry time", async ({
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

test("waiting suspicious applications delay no other text", async ({ engine }) => {
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

test("a phone that was off gets a second text hours later", async ({ engine }) => {
  engine.twilio.becomes = { status: "undelivered", code: 30003 };
  await engine.startWorker({ sms: engine.openSms() });
  await engine.deliverNew();
  await engine.advance(MINUTE);
  await engine.startWorker({ sms: engine.openSms() });
  await engine.advanceInSteps(PHONE_OFF_RETRY_AFTER - HOUR, 10 * MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(1);
  await engine.expectCounts({ waiting: 1, givenUp: 0 });
  engine.twilio.becomes = { status: "delivered" };
  await engine.advanceInSteps(2 * HOUR, 10 * MINUTE);
  expect(engine.applicationsTexted()).toHaveLength(2);
  await engine.expectCounts({ done: 1 });
});

const lease = (engine: EngineWithPeers, holder: string) =>
  engine.store.acquireLease({ holder, now: engine.now, hasChannel: true, leaseMs: 0 });
const due = (engine: EngineWithPeers) =>
  engine.store.dueJobs({ now: engine.now + SECOND, latest: engine.now + DAY, limit: 9 });

/** Ends the run of the due job in `state`, after one recorded attempt and 200 tries. */
async function exhaustRetries(
  engine: EngineWithPeers,
  state: "filed" | "given-up" | "open",
): Promise<void> {
  const [job] = await due(engine);
  if (job === undefined) throw new Error("no job is due");
  const leaving = { channel: "mail", recipients: ["a@practice.example"], segments: 0 } as const;
  await engine.store.recordAttempts("w", job.id, {
    ...leaving,
    now: engine.now,
    earliest: () => engine.now,
  });
  const [nextAt, retryAt] = [engine.now + HOUR, engine.now + HOUR];
  await engine.store.saveRun("w", job, { state, tries: 200, nextAt, retryAt }, engine.now);
}

test("an alarm that is raised again gets all its retries", async ({ engine }) => {
  const alarm = { kind: "alarm", topic: "sms", preferredChannel: "mail", text: "하나." } as const;
  await engine.startWorker({ mail: engine.openMail() });
  await engine.runUntilIdle();
  await lease(engine, "w");
  await engine.store.enqueueOrRestart("w", alarm, engine.now);
  await exhaustRetries(engine, "given-up");
  await engine.store.enqueueOrRestart("w", { ...alarm, text: "둘." }, engine.now + SECOND);
  const again = { tries: 0, text: "둘.", state: "open", finishedAt: undefined, attempts: [] };
  expect(await due(engine)).toMatchObject([again]);
  expect(await engine.store.findEarlierJob(alarm)).toMatchObject({ sentAt: undefined });
  await exhaustRetries(engine, "open");
  await lease(engine, "another");
  expect(await due(engine)).toMatchObject([{ state: "open" }]);
  await lease(engine, "w");
  await exhaustRetries(engine, "given-up");
  await engine.store.deleteExpired(engine.now + 1);
  expect(await engine.store.findEarlierJob(alarm)).toBeUndefined();
});

test("an alarm that could not be sent at first names the present fault", async ({ engine }) => {
  engine.smtp.always({ sender: 451 });
  await engine.startWorker();
  for (const code of [20003, 20005]) {
    engine.twilio.always({ status: 401, code });
    await engine.deliverNew();
  }
  engine.smtp.always(undefined);
  await engine.advance(MINUTE);
  const about = engine
    .alarmsMailed()
    .map(({ parsed }) => parsed.text?.match(/인증 토큰|잔액/)?.[0]);
  expect(about).toEqual(["잔액"]);
});

test("an application in a file gets all its retries once a channel is configured", async ({
  engine,
}) => {
  await engine.apply();
  await lease(engine, "w");
  await exhaustRetries(engine, "filed");
  engine.now += HOUR;
  await lease(engine, "another");
  const fresh = { tries: 0, retryAt: engine.now, enqueuedAt: engine.now, finishedAt: undefined };
  expect(await due(engine)).toMatchObject([{ ...fresh, attempts: [{ recovered: true }] }]);
});

test("a refused mail is tried again after half an hour", async ({ engine }) => {
  engine.smtp.always({ data: 550 });
  await engine.startWorker({ mail: engine.openMail() });
  await engine.deliverNew({ route: "mail" });
  expect(await engine.store.nextDueAt(engine.now)).toBe(engine.now + LATER_PAUSE);
});

test("a full text whose mail has an unknown outcome is mailed again", async ({ engine }) => {
  engine.smtp.next({ dropsAfterData: true });
  await engine.startWorker();
  await engine.deliverNew({ application: anApplication({ message: "길".repeat(400) }) });
  await engine.advance(15 * MINUTE);
  expect(engine.applicationsMailed()).toHaveLength(2);
});

test("two refused messages raise an alarm about the channel", async ({ engine }) => {
  engine.smtp.always({ data: 550 });
  await engine.startWorker();
  await engine.deliverNew({ route: "mail" });
  await engine.advance(MINUTE);
  expect(engine.applicationsMailed()).toEqual([]);
  await engine.deliverNew({ route: "mail" });
  await engine.advance(MINUTE);
  const told = engine.twilio.messages.filter(({ body }) =>
    /메일을 보내지 못하고.+ 문자로 보내/.test(body),
  );
  expect(told).toHaveLength(1);
  expect(engine.alarmsMailed()).toEqual([]);
});

test("the first alarm after the restore of a backup has a new Message-ID", async ({ engine }) => {
  engine.twilio.always({ status: 401, code: 20003 });
  await using restored = openTemporaryStore();
  for (const { store } of [engine.database, restored]) {
    await engine.startWorker(undefined, undefined, { store });
    await store.accept(aNewApplication({ now: engine.now }));
    await engine.advance(HOUR);
    await engine.runUntilIdle();
  }
  expect(new Set(engine.alarmsMailed().map(({ parsed }) => parsed.messageId)).size).toBe(2);
});
