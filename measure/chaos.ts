/**
 * Kills the server again and again while applications come in, and proves that none is lost:
 * `npm run chaos -- --kills 100 --rate 20 --database postgres`, after `npm run build`.
 */
import { parseArgs } from "node:util";
import { runChaos } from "../testing/chaos.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    rate: { type: "string", default: "20" },
    database: { type: "string", default: "sqlite" },
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
  },
});

const { database } = values;
if (database !== "sqlite" && database !== "postgres") {
  throw new Error("--database is sqlite or postgres");
}
const [kills, rate, seed] = [Number(values.kills), Number(values.rate), Number(values.seed)];
console.info(`${database}, seed ${seed}`);
const report = await runChaos({ kills, rate, seed, database }, console.info);
console.info(JSON.stringify(report, null, 2));
process.exitCode = report.lost + report.undelivered + report.duplicateRows > 0 ? 1 : 0;
