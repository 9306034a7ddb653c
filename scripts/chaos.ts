/**
 * Kills the server again and again while applications come in, and proves that none is lost:
 * `npm run chaos -- --kills 100 --rate 20`, after `npm run build`.
 */
import { parseArgs } from "node:util";
import { runChaos } from "#e2e/chaos.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    rate: { type: "string", default: "20" },
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
  },
});

console.info(`seed ${values.seed}`);
const report = await runChaos(
  { kills: Number(values.kills), rate: Number(values.rate), seed: Number(values.seed) },
  console.info,
);
console.info(JSON.stringify(report, null, 2));
process.exitCode = report.lost + report.undelivered + report.duplicateRows > 0 ? 1 : 0;
