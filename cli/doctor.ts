import { switchToDataOwner } from "#cli/data-owner.ts";
import { ConfigError, config } from "#lib/config.ts";
import { type Finding, type FindingLevel, findingCreators } from "#lib/finding.ts";

const LEVEL_WORDS: Readonly<Record<FindingLevel, string>> = {
  fault: "고장",
  unset: "설정 필요",
  warn: "주의",
  ok: "정상",
};

const findings = await collectFindings();
for (const { level, sentence } of findings) console.info(`[${LEVEL_WORDS[level]}] ${sentence}`);
const byLevel = Object.groupBy(findings, ({ level }) => level);
const countTexts = (["fault", "unset", "warn", "ok"] as const).map(
  (level) => `${LEVEL_WORDS[level]} ${byLevel[level]?.length ?? 0}`,
);
console.info(`\n${countTexts.join(" · ")}`);
process.exitCode = byLevel.fault || byLevel.unset ? 1 : 0;

async function collectFindings(): Promise<Finding[]> {
  try {
    const settings = config();
    // Silences the log, because the imported modules would log what the doctor prints as findings.
    settings.logLevel = "silent";
    const { examineSite } = await import("#cli/doctor/examine.ts");
    switchToDataOwner(settings);
    return await examineSite(settings);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { fault } = findingCreators("settings");
    return error.faults.map((each) =>
      fault(`설정이 올바르지 않습니다. ${each} 설정마다 .env.example에 설명이 있습니다.`),
    );
  }
}
