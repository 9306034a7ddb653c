import { expect, test } from "vitest";
import type { Store } from "#lib/storage/store.ts";
import { oneTurn, RECIPIENTS } from "#testing/one-turn.ts";
import {
  aNewApplication,
  anApplication,
  TEST_NOW,
  temporaryStore,
} from "#testing/temporary-store.ts";

const HOUR = 60 * 60_000;

test("the list is narrowed by state and number, the newest first", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  await store.accept(aNewApplication());
  await oneTurn(temporary, { sms: { outcome: "delivered" } });
  for (const later of [1, 2]) {
    const now = TEST_NOW + later * HOUR;
    await store.accept(aNewApplication({ now, idempotencyKey: `${later}` }));
  }
  const times = async (options: Parameters<Store["list"]>[0]) =>
    (await store.list(options)).map(({ submittedAt }) => (submittedAt - TEST_NOW) / HOUR);
  expect(await times({})).toEqual([2, 1, 0]);
  expect(await times({ limit: 1 })).toEqual([2]);
  expect(await times({ states: ["done", "filed"] })).toEqual([0]);
  expect(await times({ states: ["open"] })).toEqual([2, 1]);
});

test("one application is found with each message of it, its fault and its cure", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  await store.accept(aNewApplication());
  const fault = { error: "HTTP 401", advice: "토큰을 확인해 주세요.", about: "channel" } as const;
  await oneTurn(temporary, {
    sms: { outcome: "refused", fault },
    mail: { outcome: "delivered" },
  });
  const [{ applicationId } = { applicationId: "" }] = await store.list({});
  expect(await store.find(applicationId)).toMatchObject({
    state: "done",
    carrier: "mail",
    tries: 1,
    sends: [
      { carrier: "sms", recipient: RECIPIENTS.sms, outcome: "refused", segments: 0, ...fault },
      { carrier: "mail", recipient: RECIPIENTS.mail, outcome: "delivered" },
    ],
  });
  expect(await store.find("22222222")).toBeUndefined();
  const recipients = { sms: [RECIPIENTS.sms], mail: [RECIPIENTS.mail] };
  expect(await store.failing(recipients)).toMatchObject([{ carrier: "sms", refused: true }]);
  expect(await store.failing({ mail: [RECIPIENTS.mail] })).toEqual([]);
});

test("a second application of one person on one day in Seoul names the one before it", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  const midnight = Date.parse("2026-12-02T00:00:00+09:00");
  const times = [midnight - 2 * HOUR, midnight - HOUR, midnight - 1, midnight];
  const numbers: string[] = [];
  for (const [index, now] of times.entries()) {
    const stored = await store.accept(aNewApplication({ now, idempotencyKey: `${index}` }));
    if ("applicationId" in stored) numbers.push(stored.applicationId);
  }
  const application = anApplication({ phone: "+821099998888" });
  await store.accept(aNewApplication({ now: midnight - 1, application, idempotencyKey: "other" }));
  const earlier = (await store.list({})).map(({ earlierToday }) => earlierToday);
  expect(earlier.toReversed()).toEqual([
    undefined,
    { applicationId: numbers[0], count: 2 },
    { applicationId: numbers[1], count: 3 },
    undefined,
    undefined,
  ]);
});
