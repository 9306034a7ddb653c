import { runChaos } from "#testing/chaos.ts";
import { expect, test } from "#testing/test.ts";

for (const database of ["sqlite", "postgres"] as const) {
  test(`20 kills at random moments on ${database} lose nothing, store nothing twice and tell the owner at most twice`, async () => {
    test.setTimeout(600_000);
    const report = await runChaos({ kills: 20, rate: 10, seed: Date.now(), database });
    expect(report.acknowledged).toBeGreaterThan(50);
    expect(report).toMatchObject({ lost: 0, undelivered: 0, duplicateRows: 0 });
    expect(report.mostForOne).toBeLessThanOrEqual(2);
  });
}
