/**
 * `npm run doctor`: checks everything that the site needs, sends nothing, and prints one Korean sentence per
 * finding, with the fix. `--json` is for programs. The exit code is 0, 1 when something is broken, or 2 for
 * an unknown option.
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
  say("사용법: npm run doctor [-- --json]");
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
  // The findings say what these modules would log.
  process.env.LOG_LEVEL = "silent";
  // They import the log, which needs a configuration without faults.
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
