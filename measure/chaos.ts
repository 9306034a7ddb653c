/**
 * Kills the server repeatedly while applications arrive, and checks that none is lost. After `npm run build`:
 *   npm run chaos -- --kills 100 --rate 20 --database postgres
 *   npm run chaos -- --slow-dot 90 --life 100 --kills 6 --rate 0.12
 * The mail server of the second command confirms a mail after up to 90 s, so about five mails a minute are delivered.
 */
import { parseArgs } from "node:util";
import { MAX_COPIES } from "../lib/delivery/rule.ts";
import { runChaos } from "../testing/chaos/chaos.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    rate: { type: "string", default: "20" },
    database: { type: "string", default: "sqlite" },
    life: { type: "string" },
    "slow-dot": { type: "string" },
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
  },
});

const { database } = values;
if (database !== "sqlite" && database !== "postgres") {
  throw new Error("--database is sqlite or postgres");
}
const [kills, rate, seed] = [Number(values.kills), Number(values.rate), Number(values.seed)];
console.info(`${database}, seed ${seed}`);
const report = await runChaos(
  {
    ...{ kills, rate, seed, database },
    ...(values.life && { longestLifeMs: Number(values.life) * 1_000 }),
    ...(values["slow-dot"] && { slowDotMs: Number(values["slow-dot"]) * 1_000 }),
  },
  console.info,
);
console.info(JSON.stringify(report, null, 2));
const wrong = report.lost + report.undelivered + report.duplicateRows;
process.exitCode = wrong > 0 || report.mostForOne > MAX_COPIES ? 1 : 0;
