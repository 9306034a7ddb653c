import { expect } from "vitest";
import { HOUR } from "#lib/application/durations.ts";
import { closeApplication, resendApplication } from "#lib/delivery/resend.ts";
import { MAX_TRIES } from "#lib/delivery/retry.ts";
import type { AttemptResult } from "#lib/storage/queries/outcomes.ts";
import type { Store } from "#lib/storage/store.ts";
import { runWorkerOnce } from "#testing/delivery/run-worker-once.ts";
import {
  acquireTestLease,
  aNewApplication,
  findDueJobs,
  TEST_NOW,
  testWithStore as test,
} from "#testing/storage/temporary-store.ts";

const LATER = { again: false, now: TEST_NOW + HOUR };
const fault = { error: "no answer", advice: "", about: "channel" } as const;

async function acceptApplication(store: Store): Promise<string> {
  const stored = await store.accept(aNewApplication());
  return "applicationId" in stored ? stored.applicationId : "";
}

const sent = { providerId: "SM1" };
const DONE = "done";
const DUE = "due";
test.for<[end: AttemptResult, again: boolean, resent: string, attempts: number, repeats: number]>([
  [{ outcome: "delivered", ...sent }, false, DONE, 0, 0],
  [{ outcome: "delivered", ...sent }, true, DUE, 0, 1],
  [{ outcome: "accepted", ...sent }, false, "accepted", 1, 0],
  [{ outcome: "accepted", ...sent }, true, DUE, 0, 1],
  // The retries restart, because a resend means that a person has mended the cause.
  [{ outcome: "rejected", fault }, false, DUE, 0, 0],
  [{ outcome: "rejected", fault }, true, DUE, 0, 0],
  // A status check comes first, because the owner may have the message.
  [{ outcome: "unknown", fault }, false, "status-check-first", 1, 0],
])(
  "a resend after %j (--again: %s) returns %j",
  async ([end, again, resent, attempts, repeats], { temporary, store }) => {
    const applicationId = await acceptApplication(store);
    await runWorkerOnce(temporary, { sms: end });
    await acquireTestLease(store, "a worker");
    const [attempt] = (await store.find(applicationId))?.attempts ?? [];
    await store.closeAttemptsAsNotSent("a worker", attempt?.jobId ?? 0);
    await store.releaseLease("a worker");
    expect(await resendApplication(store, applicationId, { ...LATER, again })).toBe(resent);
    const jobs = await findDueJobs(store, LATER.now);
    expect(jobs).toHaveLength(resent === DONE ? 0 : 1);
    for (const job of jobs) {
      expect(job.attempts).toHaveLength(attempts);
      expect(job.application).toMatchObject({ repeats });
    }
    if (resent !== DUE) return;
    expect(await store.counts(LATER.now)).toMatchObject({ waiting: 1, sent: 0 });
    await runWorkerOnce(temporary, { sms: { outcome: "delivered", providerId: "SM2" } }, LATER.now);
    const found = await store.find(applicationId);
    expect(found?.attempts.at(-1)).toMatchObject({ providerId: "SM2" });
    expect(await findDueJobs(store, LATER.now)).toEqual([]);
  },
);

const TEXT_BEGUN = {
  channel: "sms" as const,
  recipients: ["+821099990000"],
  segments: 1,
  now: TEST_NOW,
  earliest: () => TEST_NOW,
};

test("an application that is being sent is neither resent nor deleted", async ({ store }) => {
  const applicationId = await acceptApplication(store);
  const [job] = await findDueJobs(store);
  if (!job) throw new Error("nothing was due");
  await acquireTestLease(store, "a worker");
  await store.recordAttempts("a worker", job.id, TEXT_BEGUN);
  await store.closeAttemptsAsNotSent("a worker", job.id + 1);
  for (const again of [false, true]) {
    const resent = await resendApplication(store, applicationId, { again, now: TEST_NOW });
    expect(resent).toBe("under-way");
  }
  const phone = (await store.find(applicationId))?.application.phone ?? "";
  expect(await store.forgetPhone(phone)).toMatchObject({ applicationIds: [], underWay: 1 });
  expect(await store.find(applicationId)).toBeDefined();
});

const RETRY_AT = LATER.now + HOUR;
const GIVEN_UP = { state: "given-up", tries: MAX_TRIES, nextAt: 0, retryAt: RETRY_AT } as const;

test("a run that began before a resend cannot give the application up", async ({ store }) => {
  const applicationId = await acceptApplication(store);
  const [job] = await findDueJobs(store);
  await acquireTestLease(store, "a worker");
  await resendApplication(store, applicationId, LATER);
  if (job) await store.saveRun("a worker", job, GIVEN_UP, LATER.now);
  expect(await findDueJobs(store, LATER.now)).toMatchObject([{ state: "open", tries: 0 }]);
});

async function giveUpApplication({ store }: { store: Store }): Promise<string> {
  const applicationId = await acceptApplication(store);
  const [job] = await findDueJobs(store);
  await acquireTestLease(store, "a worker");
  if (!job) throw new Error("nothing was due");
  await store.saveRun("a worker", job, GIVEN_UP, TEST_NOW);
  // A worker that still runs the job can begin no attempt.
  expect(await store.recordAttempts("a worker", job.id, TEXT_BEGUN)).toEqual({ ids: [] });
  return applicationId;
}

test("resending a given-up application restores all its retries", async ({ store }) => {
  await resendApplication(store, await giveUpApplication({ store }), LATER);
  const fresh = { tries: 0, retryAt: LATER.now, enqueuedAt: LATER.now, attempts: [] };
  const unfinished = { ...fresh, finishedAt: undefined };
  expect(await findDueJobs(store, LATER.now)).toMatchObject([unfinished]);
});

test("a person can close only a given-up application", async ({ store }) => {
  expect(await closeApplication(store, await acceptApplication(store), TEST_NOW)).toBe(false);
  const applicationId = await giveUpApplication({ store });
  expect(await store.counts(TEST_NOW)).toMatchObject({ givenUp: 1 });
  expect(await closeApplication(store, applicationId, LATER.now)).toBe(true);
  expect(await store.find(applicationId)).toMatchObject({ state: "closed", finishedAt: LATER.now });
  expect(await store.counts(TEST_NOW)).toMatchObject({ givenUp: 0, lastGivenUpAt: undefined });
  expect(await store.deleteExpired(LATER.now + 1)).toEqual([applicationId]);
});
