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

test("what the owner has is sent once more only when that is asked for, and then it is sent", async () => {
  await using known = await after({ outcome: "delivered", providerId: "SM1" });
  const { store, applicationId, due, temporary } = known;
  const done = { outcome: "done", settledAt: TEST_NOW };
  expect(await store.resend(applicationId, LATER)).toEqual(done);
  expect(await due(LATER.now)).toEqual([]);
  const again = await store.resend(applicationId, { ...LATER, again: true });
  expect(again).toEqual({ outcome: "due", from: "done", doubtful: false });
  expect(await due(LATER.now)).toMatchObject([
    { sends: [], tries: 0, applications: [{ repeats: 1 }] },
  ]);
  await oneTurn(temporary, { sms: { outcome: "delivered", providerId: "SM2" } }, LATER.now);
  const found = await store.find(applicationId);
  expect(found?.sends.map(({ providerId }) => providerId)).toEqual(["SM1", "SM2"]);
});

test("what a provider has is sent once more only when that is asked for", async () => {
  await using known = await after({ outcome: "accepted", providerId: "SM1" });
  const { store, applicationId, due } = known;
  expect(await store.resend(applicationId, LATER)).toEqual({ outcome: "sent" });
  await store.resend(applicationId, { ...LATER, again: true });
  expect(await due(LATER.now)).toMatchObject([{ sends: [], applications: [{ repeats: 1 }] }]);
});

test("what was refused begins anew, for a person says that it was mended", async () => {
  await using known = await after({ outcome: "refused", fault });
  const { store, applicationId, due } = known;
  const now = TEST_NOW + 1;
  const due1 = { outcome: "due", from: "open", doubtful: false };
  expect(await store.resend(applicationId, { again: false, now })).toEqual(due1);
  expect(await due(now)).toMatchObject([{ sends: [], tries: 0 }]);
});

test("a message that may be out stays in doubt, so that the provider is asked first", async () => {
  await using known = await after({ outcome: "unknown", fault });
  const { store, applicationId, due } = known;
  const now = TEST_NOW + 1;
  const doubtful = { outcome: "due", from: "open", doubtful: true };
  expect(await store.resend(applicationId, { again: false, now })).toEqual(doubtful);
  expect(await due(now)).toMatchObject([{ sends: [{ outcome: "unknown" }] }]);
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
