import { expect } from "vitest";
import { HOUR } from "#lib/application/durations.ts";
import {
  aNewApplication,
  anApplication,
  testWithStore as test,
} from "#testing/storage/temporary-store.ts";

test("an application names its applicant's earlier application of the same day", async ({
  store,
}) => {
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

test.for(["Анна Ким", "ÉLODIE", "kim Minji"])(
  "the name %s is found as it is written",
  async (name, { store }) => {
    await store.accept(aNewApplication({ application: anApplication({ name }) }));
    expect(await store.list({ of: { name } })).toHaveLength(1);
  },
);
