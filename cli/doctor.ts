/**
 * `npm run doctor`: looks at everything that the site needs, sends nothing, and says in a Korean sentence
 * each what is so and what to do. `--json` for machines. Ends with 0, with 1 where something is broken,
 * with 2 where it was called in a way that it does not know.
 */
import { existsSync } from "node:fs";
import { loadEnvFile } from "node:process";
import { examineRuntime } from "#cli/doctor/machine.ts";
import { examineSettings } from "#cli/doctor/settings.ts";
import { say } from "#cli/say.ts";
import type { Finding, Level } from "#lib/finding.ts";

const LABELS: Readonly<Record<Level, string>> = { ok: "정상", warn: "주의", fault: "고장" };

const [argument, ...rest] = process.argv.slice(2);
if ((argument !== undefined && argument !== "--json") || rest.length > 0) {
  say("Usage: npm run doctor [-- --json]");
  process.exitCode = 2;
} else {
  if (existsSync(".env")) loadEnvFile(".env");
  const findings = await examineAll();
  if (argument === "--json") say(JSON.stringify({ status: worstOf(findings), findings }, null, 2));
  else tell(findings);
  process.exitCode = worstOf(findings) === "fault" ? 1 : 0;
}

async function examineAll(): Promise<Finding[]> {
  const { config, findings } = examineSettings(process.env);
  const settings = [examineRuntime(), ...findings];
  if (config === undefined) return settings;
  // What the parts would write to the log meanwhile is said in the findings.
  process.env.LOG_LEVEL = "silent";
  // Loaded only now: the log, which these parts bring along, needs a configuration without faults.
  const { examine } = await import("#cli/doctor/examine.ts");
  return [...settings, ...(await examine(config))];
}

function worstOf(findings: readonly Finding[]): Level {
  const levels = findings.map(({ level }) => level);
  return levels.includes("fault") ? "fault" : levels.includes("warn") ? "warn" : "ok";
}

function tell(findings: readonly Finding[]): void {
  for (const { level, sentence } of findings) say(`[${LABELS[level]}] ${sentence}`);
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  say(`\n고장 ${count("fault")} · 주의 ${count("warn")} · 정상 ${count("ok")}`);
}
