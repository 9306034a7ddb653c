/** Waiting jobs are sent once the channel, the cap or the phone that they wait for is available. */
import { expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "#lib/application/durations.ts";
import { deliveryFindings } from "#lib/delivery/health.ts";
import { FIRST_PAUSES, LATER_PAUSE, PHONE_OFF_RETRY_AFTER } from "#lib/delivery/retry.ts";
import {
  advanceClock,
  advanceClockInSteps,
  alarmsMailed,
  applicationsMailed,
  applicationsTexted,
  deliverNew,
  expectApplicationCounts,
  now,
  OWNER_MAIL,
  openTestMail,
  openTestSms,
  runUntilIdle,
  setClock,
  smtp,
  startWorker,
  storeApplication,
  testDatabase,
  twilio,
} from "#testing/delivery/engine-with-peers.ts";
import {
  aNewApplication,
  anApplication,
  openTemporaryStore,
} from "#testing/storage/temporary-store.ts";

test.each([12, 300])("a text is sent after Twilio fails for %i minutes", async (minutes) => {
  twilio.always({ status: 500 });
  twilio.misbehaviourOnGet = { status: 500 };
  await startWorker({ sms: openTestSms() });
  await deliverNew();
  await advanceClockInSteps(minutes * MINUTE, MINUTE);
  twilio.always(undefined);
  twilio.misbehaviourOnGet = undefined;
  await expectApplicationCounts({ waiting: 1, givenUp: 0 });
  await advanceClockInSteps(2 * HOUR, MINUTE);
  await expectApplicationCounts({ done: 1 });
  expect(applicationsTexted()).toHaveLength(1);
});

test("the backoff restarts once one of two addresses has received the mail", async () => {
  const second = "second@practice.example";
  await startWorker({ sms: openTestSms(), mail: openTestMail([OWNER_MAIL, second]) });
  smtp.always({ recipients: { [OWNER_MAIL]: 451, [second]: 451 } });
  await deliverNew({ route: "mail" });
  const [first = 0, next = 0] = FIRST_PAUSES;
  await advanceClockInSteps(first);
  smtp.always({ recipients: { [second]: 451 } });
  await advanceClockInSteps(next);
  smtp.always(undefined);
  expect(smtp.mails).toHaveLength(1);
  await advanceClockInSteps(first);
  expect(smtp.mails.map(({ envelopeTo }) => envelopeTo)).toEqual([[OWNER_MAIL], [second]]);
  expect(twilio.messages).toHaveLength(0);
});

test("a refused address does not delay the retry of another address", async () => {
  const refused = "refused@practice.example";
  await startWorker({ mail: openTestMail([OWNER_MAIL, refused]) });
  smtp.always({ recipients: { [OWNER_MAIL]: 451, [refused]: 550 } });
  await deliverNew({ route: "mail" });
  smtp.always({ recipients: { [refused]: 550 } });
  await advanceClock(FIRST_PAUSES[0] ?? 0);
  expect(smtp.mails).toHaveLength(1);
});

const testDelivered = () => {
  const begun = { channel: "sms", recipient: "+821099990000", begunAt: now } as const;
  const tested = { ...begun, outcome: "delivered", segments: 1 } as const;
  return testDatabase.store.closeAttempt(tested, now);
};

const restart = () => startWorker({ sms: openTestSms() });

test.each([
  ["a restart", restart],
  ["a delivered test message", testDelivered],
])("%s sends the texts that a wrong login has delayed", async (_what, mend) => {
  twilio.always({ status: 401, code: 20003 });
  await restart();
  for (let count = 0; count < 3; count++) await storeApplication();
  await advanceClockInSteps(3 * HOUR, MINUTE);
  twilio.always(undefined);
  await mend();
  await runUntilIdle();
  expect(applicationsTexted()).toHaveLength(3);
});

test.each([
  ["a restart", restart],
  ["a delivered test message", testDelivered],
  ["a delivered text", () => deliverNew()],
])("%s repeats the texts that failed because of the Twilio account", async (_what, mend) => {
  twilio.becomes = { status: "failed", code: 30002 };
  await startWorker({ sms: openTestSms() });
  for (let count = 0; count < 2; count++) {
    await deliverNew();
    await advanceClock(5 * SECOND);
  }
  await expectApplicationCounts({ waiting: 2 });
  // Twilio accepts the texts of a suspended account, and then reports them as failed.
  expect(applicationsTexted()).toHaveLength(2);
  twilio.becomes = { status: "delivered" };
  await mend();
  await advanceClockInSteps(MINUTE);
  await expectApplicationCounts({ waiting: 0, givenUp: 0 });
});

test("a job waits for the provider's retry time even if other jobs succeed", async () => {
  twilio.next({ status: 429, code: 20429, headers: { "retry-after": "1800" } });
  await startWorker({ sms: openTestSms() });
  await deliverNew();
  await deliverNew();
  await advanceClock(10 * MINUTE);
  expect(applicationsTexted()).toHaveLength(1);
  await advanceClockInSteps(25 * MINUTE, MINUTE);
  expect(applicationsTexted()).toHaveLength(2);
});

test("a job whose early retry is refused waits for the provider's retry time", async () => {
  const taken = { text: '{"sid":"SM1","status":"sent"}' };
  const busy = { status: 429, headers: { "retry-after": "1800" } };
  twilio.next({ status: 429 }, taken, busy);
  await startWorker({ sms: openTestSms() });
  // The success of the second application makes the first application due at once.
  for (let count = 0; count < 2; count++) await deliverNew();
  await advanceClockInSteps(29 * MINUTE, MINUTE);
  expect(twilio.requests).toBe(3);
  await advanceClockInSteps(2 * MINUTE, MINUTE);
  expect(applicationsTexted()).toHaveLength(1);
});

test("waiting suspicious applications delay no other text", async () => {
  await startWorker({ sms: openTestSms() });
  for (let count = 0; count < 40; count++) await storeApplication({ suspicion: "honeypot" });
  await runUntilIdle();
  const automated = applicationsTexted().length;
  expect(automated).toBeLessThanOrEqual(4);
  await expectApplicationCounts({ oldestWaitingSince: now });
  await deliverNew();
  expect(applicationsTexted()).toHaveLength(automated + 1);
  await advanceClock(HOUR + MINUTE);
  const settings = { siteUrl: "https://practice.example", sms: { to: [] }, mail: undefined };
  const sentence = expect.stringMatching(/^문자 한도 때문에 기다리는 신청이 \d\d건/);
  const later = now + HOUR - MINUTE;
  expect(await deliveryFindings(testDatabase.store, settings, later)).toMatchObject([
    { level: "warn", sentence },
  ]);
  await startWorker({ sms: openTestSms() }, { hourly: 1_000, daily: 1_000 });
  await runUntilIdle();
  await expectApplicationCounts({ waiting: 0 });
});

test("a phone that was off gets a second text hours later", async () => {
  twilio.becomes = { status: "undelivered", code: 30003 };
  await startWorker({ sms: openTestSms() });
  await deliverNew();
  await advanceClock(MINUTE);
  await startWorker({ sms: openTestSms() });
  await advanceClockInSteps(PHONE_OFF_RETRY_AFTER - HOUR, 10 * MINUTE);
  expect(applicationsTexted()).toHaveLength(1);
  await expectApplicationCounts({ waiting: 1, givenUp: 0 });
  twilio.becomes = { status: "delivered" };
  await advanceClockInSteps(2 * HOUR, 10 * MINUTE);
  expect(applicationsTexted()).toHaveLength(2);
  await expectApplicationCounts({ done: 1 });
});

const lease = (holder: string) =>
  testDatabase.store.acquireLease({ holder, now, hasChannel: true, leaseMs: 0 });
const due = () => testDatabase.store.dueJobs({ now: now + SECOND, latest: now + DAY, limit: 9 });

/** Ends the run of the due job in `state`, after one recorded attempt and 200 tries. */
async function exhaustRetries(state: "filed" | "given-up" | "open"): Promise<void> {
  const [job] = await due();
  if (job === undefined) throw new Error("no job is due");
  const leaving = { channel: "mail", recipients: ["a@practice.example"], segments: 0 } as const;
  await testDatabase.store.recordAttempts("w", job.id, { ...leaving, now, earliest: () => now });
  const [nextAt, retryAt] = [now + HOUR, now + HOUR];
  await testDatabase.store.saveRun("w", job, { state, tries: 200, nextAt, retryAt }, now);
}

test("an alarm that is raised again gets all its retries", async () => {
  const alarm = { kind: "alarm", topic: "sms", preferredChannel: "mail", text: "하나." } as const;
  await startWorker({ mail: openTestMail() });
  await runUntilIdle();
  await lease("w");
  await testDatabase.store.enqueueOrRestart("w", alarm, now);
  await exhaustRetries("given-up");
  await testDatabase.store.enqueueOrRestart("w", { ...alarm, text: "둘." }, now + SECOND);
  const again = { tries: 0, text: "둘.", state: "open", finishedAt: undefined, attempts: [] };
  expect(await due()).toMatchObject([again]);
  expect(await testDatabase.store.findEarlierJob(alarm)).toMatchObject({ sentAt: undefined });
  await exhaustRetries("open");
  await lease("another");
  expect(await due()).toMatchObject([{ state: "open" }]);
  await lease("w");
  await exhaustRetries("given-up");
  await testDatabase.store.deleteExpired(now + 1);
  expect(await testDatabase.store.findEarlierJob(alarm)).toBeUndefined();
});

test("an alarm that could not be sent at first names the present fault", async () => {
  smtp.always({ sender: 451 });
  await startWorker();
  for (const code of [20003, 20005]) {
    twilio.always({ status: 401, code });
    await deliverNew();
  }
  smtp.always(undefined);
  await advanceClock(MINUTE);
  const about = alarmsMailed().map(({ parsed }) => parsed.text?.match(/인증 토큰|잔액/)?.[0]);
  expect(about).toEqual(["잔액"]);
});

test("an application in a file gets all its retries once a channel is configured", async () => {
  await storeApplication();
  await lease("w");
  await exhaustRetries("filed");
  setClock(now + HOUR);
  await lease("another");
  const fresh = { tries: 0, retryAt: now, enqueuedAt: now, finishedAt: undefined };
  expect(await due()).toMatchObject([{ ...fresh, attempts: [{ recovered: true }] }]);
});

test("a refused mail is tried again after half an hour", async () => {
  smtp.always({ data: 550 });
  await startWorker({ mail: openTestMail() });
  await deliverNew({ route: "mail" });
  expect(await testDatabase.store.nextDueAt(now)).toBe(now + LATER_PAUSE);
});

test("a full text whose mail has an unknown outcome is mailed again", async () => {
  smtp.next({ dropsAfterData: true });
  await startWorker();
  await deliverNew({ application: anApplication({ message: "길".repeat(400) }) });
  await advanceClock(15 * MINUTE);
  expect(applicationsMailed()).toHaveLength(2);
});

test("two refused messages raise an alarm about the channel", async () => {
  smtp.always({ data: 550 });
  await startWorker();
  await deliverNew({ route: "mail" });
  await advanceClock(MINUTE);
  expect(applicationsMailed()).toEqual([]);
  await deliverNew({ route: "mail" });
  await advanceClock(MINUTE);
  const told = twilio.messages.filter(({ body }) =>
    /메일을 보내지 못하고.+ 문자로 보내/.test(body),
  );
  expect(told).toHaveLength(1);
  expect(alarmsMailed()).toEqual([]);
});

test("the first alarm after the restore of a backup has a new Message-ID", async () => {
  twilio.always({ status: 401, code: 20003 });
  await using restored = openTemporaryStore();
  for (const { store } of [testDatabase, restored]) {
    await startWorker(undefined, undefined, { store });
    await store.accept(aNewApplication({ now }));
    await advanceClock(HOUR);
    await runUntilIdle();
  }
  expect(new Set(alarmsMailed().map(({ parsed }) => parsed.messageId)).size).toBe(2);
});
