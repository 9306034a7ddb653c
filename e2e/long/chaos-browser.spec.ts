import { expect, test } from "#testing/browser/test.ts";
import { sendOneApplication, startSiteBehindProxy } from "#testing/chaos/chaos-browser.ts";

const RUNS = 24;
/** The faults change every hour. A failed run prints its seed, and can be repeated. */
const SEED = new Date().getHours();

test(`${RUNS} applications under random faults all arrive once [34][35]`, async () => {
  test.setTimeout(900_000);
  await using lane = await startSiteBehindProxy();
  for (let run = 1; run <= RUNS; run += 1) {
    const { result, plan } = await sendOneApplication(lane, run, SEED);
    // Killing the whole browser may lose an application that is not on the disk yet.
    const accepted = plan.includes('"kill"') ? ["once", "unsaved"] : ["once"];
    expect(accepted, `run ${run} of seed ${SEED}: ${plan}`).toContain(result);
  }
});
