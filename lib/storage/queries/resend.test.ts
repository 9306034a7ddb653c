import { expect, test } from "vitest";
import type { AttemptResult, Message } from "#lib/application/delivery.ts";
import type { Store } from "#lib/storage/store.ts";
import { aNewApplication, TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

const HOUR = 60 * 60_000;
const message = (changes: Partial<Message>): Message => ({
  transport: "sms",
  recipient: "+821099990000",
  state: "delivered",
  providerId: "SM1",
  begunAt: TEST_NOW,
  copies: 1,
  ...changes,
});

/** An application after one attempt that ended like this. */
async function afterAttempt(
  store: Store,
  result: AttemptResult,
  newApplication = aNewApplication(),
) {
  await store.accept(newApplication);
  const [delivery] = await store.leaseDue({ now: newApplication.now, leaseMs: HOUR, limit: 1 });
  if (!delivery) throw new Error("nothing was due");
  for (const { transport, recipient } of result.messages ?? []) {
    await store.recordIntent(delivery, {
      transport,
      recipients: [recipient],
      caps: undefined,
      now: TEST_NOW,
    });
  }
  await store.mark(delivery, result, TEST_NOW);
  return delivery;
}

test("what was delivered is sent once more only when that is asked for", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  const done: AttemptResult = { state: "delivered", transport: "sms", messages: [message({})] };
  const { applicationId } = await afterAttempt(store, done);
  const options = { again: false, now: TEST_NOW + HOUR };
  expect(await store.resend(applicationId, options)).toEqual({
    outcome: "delivered",
    settledAt: TEST_NOW,
  });
  expect((await store.counts(TEST_NOW)).delivered).toBe(1);

  await store.resend(applicationId, { ...options, again: true });
  const [again] = await store.leaseDue({ now: options.now, leaseMs: HOUR, limit: 1 });
  // The provider's id stays, so that the first message is not taken for the second one.
  expect(again).toMatchObject({
    repeats: 1,
    attempts: 0,
    messages: [{ state: "unsent", providerId: "SM1" }],
  });
});

test("what was given up begins anew, with what was refused open again", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  const given: AttemptResult = {
    state: "needs-owner",
    error: "dead",
    advice: "번호를 확인해 주세요.",
    messages: [message({ state: "refused", providerId: undefined })],
  };
  const { applicationId } = await afterAttempt(store, given);
  expect(await store.find(applicationId)).toMatchObject({
    state: "needs-owner",
    lastError: "dead",
    lastAdvice: "번호를 확인해 주세요.",
  });
  expect(await store.resend(applicationId, { again: false, now: TEST_NOW })).toEqual({
    outcome: "due",
    from: "needs-owner",
  });
  const [delivery] = await store.leaseDue({ now: TEST_NOW, leaseMs: HOUR, limit: 1 });
  expect(delivery).toMatchObject({ attempts: 0, repeats: 0, messages: [{ state: "unsent" }] });
});

test("a message that may be out stays in doubt, so that the provider is asked first", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  const doubt: AttemptResult = {
    state: "unknown",
    error: "no answer",
    nextAttemptAt: TEST_NOW + HOUR,
    messages: [message({ state: "unknown", providerId: undefined })],
  };
  const { applicationId } = await afterAttempt(store, doubt);
  await store.resend(applicationId, { again: true, now: TEST_NOW });
  const [delivery] = await store.leaseDue({ now: TEST_NOW, leaseMs: HOUR, limit: 1 });
  expect(delivery).toMatchObject({ attempts: 1, messages: [{ state: "unknown" }] });
});

test("what waits for a digest goes out with it, and not before", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  const dueAt = TEST_NOW + HOUR;
  const { applicationId } = await afterAttempt(store, {
    state: "waiting",
    error: "capped",
    failed: false,
    nextAttemptAt: dueAt,
    digest: `${dueAt}`,
  });
  expect(await store.resend(applicationId, { again: true, now: TEST_NOW })).toEqual({
    outcome: "in-digest",
    dueAt,
  });
  expect(await store.leaseDue({ now: TEST_NOW, leaseMs: HOUR, limit: 1 })).toEqual([]);
});

test("an unknown number is said to be one", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  expect(await store.resend("2222AAAA", { again: true, now: TEST_NOW })).toEqual({
    outcome: "absent",
  });
  expect(await store.find("2222AAAA")).toBeUndefined();
});

test("the list is narrowed by state, time and number, the newest first", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  await afterAttempt(store, { state: "delivered", transport: "sms" });
  for (const later of [1, 2]) {
    await store.accept(
      aNewApplication({ now: TEST_NOW + later * HOUR, idempotencyKey: `${later}` }),
    );
  }
  const times = async (options: Parameters<Store["list"]>[0]) =>
    (await store.list(options)).map(({ submittedAt }) => (submittedAt - TEST_NOW) / HOUR);
  expect(await times({})).toEqual([2, 1, 0]);
  expect(await times({ limit: 1 })).toEqual([2]);
  expect(await times({ since: TEST_NOW + HOUR })).toEqual([2, 1]);
  expect(await times({ states: ["delivered", "sent"] })).toEqual([0]);
});
