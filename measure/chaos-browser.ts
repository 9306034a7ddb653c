/**
 * Sends applications while browser and network fail at random, and counts what arrived. After `npm run build`:
 *   npm run chaos:browser -- --runs 300 [--seed 1] [--lanes 2]
 * Exits with 1 if an application was lost or duplicated.
 */
import { parseArgs } from "node:util";
import {
  type ChaosResult,
  sendOneApplication,
  startSiteBehindProxy,
} from "../testing/chaos/chaos-browser.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    lanes: { type: "string", default: "2" },
  },
});
const seed = Number(values.seed);
const waiting = Array.from({ length: Number(values.runs) }, (_, index) => index + 1);
const results: ChaosResult[] = [];
const count = (result: ChaosResult) => results.filter((each) => each === result).length;

async function work(): Promise<void> {
  await using lane = await startSiteBehindProxy();
  for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
    const { result, plan } = await sendOneApplication(lane, run, seed);
    results.push(result);
    if (result !== "once") console.info(`${result}: run ${run} ${plan}`);
    if (results.length % 25 === 0) console.info(`${results.length} runs`);
  }
}

const started = Date.now();
await Promise.all(Array.from({ length: Number(values.lanes) }, work));
const seconds = Math.round((Date.now() - started) / 1_000);
console.info(
  `${results.length} runs in ${seconds} s, seed ${seed}: ${count("once")} arrived once, ` +
    `${count("lost")} lost, ${count("duplicated")} duplicated, ` +
    `${count("unsaved")} not saved, and not claimed to be`,
);
if (count("lost") + count("duplicated") > 0) process.exitCode = 1;
