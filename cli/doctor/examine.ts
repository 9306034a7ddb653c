import { examineDataFolder } from "#cli/doctor/data-folder.ts";
import { examineDatabase } from "#cli/doctor/database.ts";
import { examineRunning } from "#cli/doctor/running.ts";
import { examineSite } from "#cli/doctor/site.ts";
import { CARRIERS } from "#lib/channels/carriers.ts";
import { CARRIER_WORDS } from "#lib/channels/words.ts";
import type { Config } from "#lib/config.ts";
import { type Finding, fault, warn } from "#lib/finding.ts";
import { CARRIER_NAMES } from "#lib/storage/tables.ts";

/** Checks everything that a valid configuration names: first what keeps applications from the owner. */
export async function examine(config: Config): Promise<Finding[]> {
  const { finding, urgent = [], notes = [], forwardedAt } = await examineDatabase(config);
  const isKnown = [finding, ...urgent].some(({ level }) => level === "fault");
  return [
    ...urgent,
    ...examineDataFolder(config.dataDir),
    finding,
    await examineRunning(config, isKnown),
    ...notes,
    ...examineSite(config, forwardedAt),
    ...(await examineCarriers(config)),
  ];
}

/** Whether the owner would be reached, without sending anything. */
export async function examineCarriers(config: Config): Promise<Finding[]> {
  const found = await Promise.all(CARRIER_NAMES.map((name) => CARRIERS[name].examine(config)));
  if (found.every((findings) => findings === undefined)) {
    const settings = CARRIER_NAMES.map((name) => CARRIERS[name].settings).join(" 또는 ");
    const sentence = `문자도 메일도 설정되지 않아 신청이 파일로만 쌓이고 아무에게도 알려지지 않습니다. .env에 ${settings} 설정을 넣어 주세요.`;
    return [fault(sentence)];
  }
  return CARRIER_NAMES.flatMap((name, index) => {
    const word = CARRIER_WORDS[name];
    const sentence = `${word} 설정이 없어 모든 신청이 다른 길로만 가고, 그 길이 막히면 알릴 수 없습니다. ${word}도 쓰시려면 .env에 ${CARRIERS[name].settings} 설정을 넣어 주세요.`;
    return found[index] ?? [warn(sentence)];
  });
}
