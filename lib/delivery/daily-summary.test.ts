import { expect, test, vi } from "vitest";
import { summariseDaily } from "#lib/delivery/daily-summary.ts";
import {
  aNewApplication,
  anApplication,
  TEST_NOW,
  temporaryStore,
} from "#testing/temporary-store.ts";

const DAY = 24 * 60 * 60_000;

test("a line after the start and one after each midnight in Seoul, each with the day before", async () => {
  await using temporary = temporaryStore();
  const { store } = temporary;
  for (const [age, name] of ["가", "나", "다", "라"].entries()) {
    const application = anApplication({ name, age: 20 + age });
    await store.accept(aNewApplication({ application, now: TEST_NOW }));
  }
  const leased = await store.leaseDue({ now: TEST_NOW, leaseMs: 1_000, limit: 3 });
  const [first, second, third] = leased;
  if (!first || !second || !third) throw new Error("three leases");
  await store.mark(first, { state: "delivered", transport: "sms" }, TEST_NOW);
  await store.mark(second, { state: "needs-owner", error: "dead" }, TEST_NOW);
  const later = TEST_NOW + DAY;
  await store.mark(third, { state: "refused", error: "no", nextAttemptAt: later }, TEST_NOW);

  let now = TEST_NOW;
  const lines: object[] = [];
  const summaries = summariseDaily(store, { now: () => now, write: (line) => lines.push(line) });
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(lines[0]).toMatchObject({ day: "2026-11-30", taken: 0, delivered: 0 });

  now = Date.parse("2026-12-01T23:59:59+09:00");
  await summaries.check();
  expect(lines).toHaveLength(1);
  now = Date.parse("2026-12-02T00:00:30+09:00");
  await summaries.check();
  await summaries.check();
  expect(lines.slice(1)).toEqual([
    { day: "2026-12-01", taken: 4, delivered: 1, filed: 0, givenUp: 1, waiting: 1, refused: 1 },
  ]);
  await summaries.close();
});
