import { ChaosLane } from "#testing/chaos-browser.ts";
import { expect, test } from "#testing/test.ts";

const RUNS = 24;
/** Another hour, other faults; a failure names its run, which can then be repeated. */
const SEED = new Date().getHours();

test(`${RUNS} applications under random faults all arrive once`, async () => {
  test.setTimeout(900_000);
  const lane = await ChaosLane.open();
  try {
    for (let run = 1; run <= RUNS; run += 1) {
      const { verdict, plan } = await lane.run(run, SEED);
      // Only the end of the whole browser can be faster than its disk.
      const accepted = plan.includes('"kill"') ? ["once", "unkept"] : ["once"];
      expect(accepted, `run ${run} of seed ${SEED}: ${plan}`).toContain(verdict);
    }
  } finally {
    await lane.close();
  }
});
