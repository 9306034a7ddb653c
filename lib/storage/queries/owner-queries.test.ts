import { expect, test } from "vitest";
import {
  aNewApplication,
  anApplication,
  TEST_NOW,
  temporaryStore,
} from "#testing/temporary-store.ts";

test("the list has the latest first and keeps to what is asked for", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  for (const index of [0, 1, 2]) {
    const application = anApplication({ age: 20 + index });
    await store.accept(aNewApplication({ application, now: TEST_NOW + index }));
  }
  const [first] = await store.leaseDue({ now: TEST_NOW + 9, leaseMs: 60_000, limit: 1 });
  if (!first) throw new Error("nothing was due");
  await store.mark(first, { state: "delivered", transport: "sms" }, TEST_NOW + 9);

  const ages = async (options: Parameters<typeof store.list>[0]) =>
    (await store.list(options)).map(({ application }) => application.age);
  expect(await ages({})).toEqual([22, 21, 20]);
  expect(await ages({ limit: 2 })).toEqual([22, 21]);
  expect(await ages({ since: TEST_NOW + 1 })).toEqual([22, 21]);
  expect(await ages({ states: ["delivered"] })).toEqual([20]);
});

test("one application is found with each message that was begun for it", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  await store.accept(aNewApplication());
  const [delivery] = await store.leaseDue({ now: TEST_NOW, leaseMs: 60_000, limit: 1 });
  if (!delivery) throw new Error("nothing was due");
  const recipients = ["+821099990000", "+821099990001"];
  await store.recordIntent(delivery, {
    transport: "sms",
    recipients,
    caps: undefined,
    now: TEST_NOW,
  });

  const found = await store.find(delivery.applicationId);
  expect(found).toMatchObject({ applicationId: delivery.applicationId, state: "leased" });
  expect(found?.messages.map(({ recipient }) => recipient).toSorted()).toEqual(recipients);
  expect(await store.find("22222222")).toBeUndefined();
});
