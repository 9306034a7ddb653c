import { expect, test } from "vitest";
import type { SendEnd } from "#lib/channels/carrier.ts";
import { oneTurn } from "#testing/one-turn.ts";
import { aNewApplication, TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

const HOUR = 60 * 60_000;
const LATER = { again: false, now: TEST_NOW + HOUR };
const fault = { error: "no answer", advice: "", about: "channel" } as const;

/** A store with one application after a turn in which every SMS ended like this. */
async function after(end: SendEnd | undefined) {
  const temporary = temporaryStore();
  const { store } = temporary;
  const stored = await store.accept(aNewApplication());
  if (end) await oneTurn(temporary, { sms: end });
  const applicationId = "applicationId" in stored ? stored.applicationId : "";
  const due = async (now: number) => store.dueJobs({ now, limit: 9 });
  return { ...temporary, temporary, store, applicationId, due };
}

const sent = { providerId: "SM1" };
const DONE = { outcome: "done" };
const DUE = { outcome: "due", doubtful: false };
test.each<[end: SendEnd, again: boolean, resent: object, sends: number, repeats: number]>([
  [{ outcome: "delivered", ...sent }, false, DONE, 0, 0],
  [{ outcome: "delivered", ...sent }, true, DUE, 0, 1],
  [{ outcome: "accepted", ...sent }, false, { outcome: "sent" }, 1, 0],
  [{ outcome: "accepted", ...sent }, true, DUE, 0, 1],
  // A person says that the cause was mended: it begins anew.
  [{ outcome: "refused", fault }, false, DUE, 0, 0],
  // The provider is asked first.
  [{ outcome: "unknown", fault }, false, { ...DUE, doubtful: true }, 1, 0],
])("after %j, again: %s, it is %j", async (end, again, resent, sends, repeats) => {
  await using known = await after(end);
  const { store, applicationId, due, temporary } = known;
  expect(await store.resend(applicationId, { ...LATER, again })).toEqual(resent);
  const jobs = await due(LATER.now);
  expect(jobs).toHaveLength(resent === DONE ? 0 : 1);
  for (const job of jobs) {
    expect(job.sends).toHaveLength(sends);
    expect(job.applications).toMatchObject([{ repeats }]);
  }
  if (!("from" in resent) || sends > 0) return;
  await oneTurn(temporary, { sms: { outcome: "delivered", providerId: "SM2" } }, LATER.now);
  const found = await store.find(applicationId);
  expect(found?.sends.at(-1)).toMatchObject({ providerId: "SM2" });
});

test("what waits for a digest goes out with it, and not before; what is leaving, not twice", async () => {
  await using known = await after(undefined);
  const { store, applicationId, due } = known;
  const [job] = await due(TEST_NOW);
  if (!job) throw new Error("nothing was due");
  const holder = "a worker";
  await store.holdWorker(holder);
  const leaving = { jobId: job.id, carrier: "sms", recipients: ["+821099990000"] } as const;
  const caps = { hourly: 30, daily: 100 };
  await store.beginSends(holder, { ...leaving, segments: 1, caps, now: TEST_NOW });
  const both = [false, true];
  for (const again of both) {
    const resent = await store.resend(applicationId, { again, now: TEST_NOW });
    expect(resent).toEqual({ outcome: "under-way" });
  }
  await store.takeBackSends(holder, job.id);
  const dueAt = TEST_NOW + HOUR;
  await store.putIntoDigest(holder, job.id, { dueAt, now: TEST_NOW });
  for (const again of both) {
    const resent = await store.resend(applicationId, { again, now: TEST_NOW });
    expect(resent).toEqual({ outcome: "in-digest", dueAt });
  }
  expect(await due(TEST_NOW)).toEqual([]);
});

test("an unknown number is said to be one", async () => {
  await using temporary = temporaryStore();
  const resent = await temporary.store.resend("2222AAAA", LATER);
  expect(resent).toEqual({ outcome: "absent" });
});
