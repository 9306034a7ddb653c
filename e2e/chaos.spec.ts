import { runChaos } from "#testing/chaos.ts";
import { expect, test } from "#testing/test.ts";

test("eight kills at random moments lose nothing, store nothing twice and tell the owner at most twice", async () => {
  test.setTimeout(420_000);
  const report = await runChaos({ kills: 8, rate: 10, seed: Date.now(), database: "sqlite" });
  expect(report.acknowledged).toBeGreaterThan(50);
  expect(report).toMatchObject({ lost: 0, undelivered: 0, duplicateRows: 0 });
  expect(report.mostForOne).toBeLessThanOrEqual(2);
});
