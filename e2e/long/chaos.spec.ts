import { expect, test } from "#testing/browser/test.ts";
import { runChaos } from "#testing/chaos/chaos.ts";

test("20 kills of the server lose no application on either database [1][2][3][10]", async () => {
  // The worker repeats a mail of unknown outcome only after 15 minutes.
  test.setTimeout(25 * 60_000);
  const chaos = { kills: 20, rate: 10, seed: Date.now() };
  const reports = [
    runChaos({ ...chaos, database: "sqlite" }),
    runChaos({ ...chaos, database: "postgres" }),
  ];
  for (const report of await Promise.all(reports)) {
    expect(report.acknowledged).toBeGreaterThan(50);
    expect(report).toMatchObject({ lost: 0, undelivered: 0, duplicateRows: 0 });
    expect(report.mostForOne).toBeLessThanOrEqual(2);
  }
});
