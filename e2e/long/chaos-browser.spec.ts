import { expect, test } from "#testing/browser/test.ts";
import { openLane, runOnce } from "#testing/chaos/chaos-browser.ts";

const RUNS = 24;
/** Another hour, other faults; a failure names its run, which can then be repeated. */
const SEED = new Date().getHours();

test(`${RUNS} applications under random faults all arrive once`, async () => {
  test.setTimeout(900_000);
  await using lane = await openLane();
  for (let run = 1; run <= RUNS; run += 1) {
    const { verdict, plan } = await runOnce(lane, run, SEED);
    // Only the end of the whole browser can be faster than its disk.
    const accepted = plan.includes('"kill"') ? ["once", "unkept"] : ["once"];
    expect(accepted, `run ${run} of seed ${SEED}: ${plan}`).toContain(verdict);
  }
});
