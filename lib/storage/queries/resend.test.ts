import { expect } from "vitest";
import type { AttemptResult } from "#lib/channels/channel.ts";
import type { Store } from "#lib/storage/store.ts";
import { oneTurn } from "#testing/delivery/run-worker-once.ts";
import { HOUR } from "#testing/durations.ts";
import { aNewApplication, TEST_NOW, withStore as test } from "#testing/storage/temporary-store.ts";

const LATER = { again: false, now: TEST_NOW + HOUR };
const fault = { error: "no answer", advice: "", about: "channel" } as const;

async function accepted(store: Store): Promise<string> {
  const stored = await store.accept(aNewApplication());
  return "applicationId" in stored ? stored.applicationId : "";
}

const sent = { providerId: "SM1" };
const DONE = { outcome: "done" };
const DUE = { outcome: "due", doubtful: false };
test.for<[end: AttemptResult, again: boolean, resent: object, attempts: number, repeats: number]>([
  [{ outcome: "delivered", ...sent }, false, DONE, 0, 0],
  [{ outcome: "delivered", ...sent }, true, DUE, 0, 1],
  [{ outcome: "accepted", ...sent }, false, { outcome: "sent" }, 1, 0],
  [{ outcome: "accepted", ...sent }, true, DUE, 0, 1],
  // A person says that the cause was mended: it begins anew.
  [{ outcome: "rejected", fault }, false, DUE, 0, 0],
  // The provider is asked first.
  [{ outcome: "unknown", fault }, false, { ...DUE, doubtful: true }, 1, 0],
])(
  "after %j, again %s: %j",
  async ([end, again, resent, attempts, repeats], { temporary, store }) => {
    const applicationId = await accepted(store);
    await oneTurn(temporary, { sms: end });
    expect(await store.resend(applicationId, { ...LATER, again })).toEqual(resent);
    const jobs = await store.dueJobs({ now: LATER.now, limit: 9 });
    expect(jobs).toHaveLength(resent === DONE ? 0 : 1);
    for (const job of jobs) {
      expect(job.attempts).toHaveLength(attempts);
      expect(job.applications).toMatchObject([{ repeats }]);
    }
    if (!("from" in resent) || attempts > 0) return;
    await oneTurn(temporary, { sms: { outcome: "delivered", providerId: "SM2" } }, LATER.now);
    const found = await store.find(applicationId);
    expect(found?.attempts.at(-1)).toMatchObject({ providerId: "SM2" });
  },
);

test("what waits for a digest goes out with it; what is leaving, not twice", async ({ store }) => {
  const applicationId = await accepted(store);
  const due = () => store.dueJobs({ now: TEST_NOW, limit: 9 });
  const [job] = await due();
  if (!job) throw new Error("nothing was due");
  const holder = "a worker";
  await store.holdWorker(holder);
  const leaving = { jobId: job.id, channel: "sms", recipients: ["+821099990000"] } as const;
  const caps = { hourly: 30, daily: 100 };
  await store.recordAttempts(holder, { ...leaving, segments: 1, caps, now: TEST_NOW });
  const both = [false, true];
  for (const again of both) {
    const resent = await store.resend(applicationId, { again, now: TEST_NOW });
    expect(resent).toEqual({ outcome: "under-way" });
  }
  await store.withdrawAttempts(holder, job.id);
  const dueAt = TEST_NOW + HOUR;
  await store.putIntoDigest(holder, job.id, { dueAt, now: TEST_NOW });
  for (const again of both) {
    const resent = await store.resend(applicationId, { again, now: TEST_NOW });
    expect(resent).toEqual({ outcome: "in-digest", dueAt });
  }
  expect(await due()).toEqual([]);
});

test("an unknown number is said to be one", async ({ store }) => {
  expect(await store.resend("2222AAAA", LATER)).toEqual({ outcome: "absent" });
});
