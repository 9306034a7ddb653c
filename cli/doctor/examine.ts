import { examineDataFolder } from "#cli/doctor/data-folder.ts";
import { examineDatabase } from "#cli/doctor/database.ts";
import { examineSite } from "#cli/doctor/site.ts";
import { CHANNELS } from "#lib/channels/registry.ts";
import { CHANNEL_WORDS } from "#lib/channels/words.ts";
import type { Config } from "#lib/config.ts";
import { type Finding, fault, ok, warn } from "#lib/finding.ts";
import { CHANNEL_NAMES } from "#lib/storage/tables.ts";

const ANSWER_MS = 5_000;

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
    ...(await examineChannels(config)),
  ];
}

/**
 * Whether the site runs here, and delivers: its worker lives in its process. `isKnown`: what keeps it from delivering
 * has been found already.
 */
async function examineRunning(config: Config, isKnown: boolean): Promise<Finding> {
  const address = addressOf(config);
  const answer = await fetch(`${address}/api/health`, {
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => undefined);
  if (answer === undefined) {
    const sentence = `사이트가 ${address}에서 응답하지 않습니다. 켜져 있는지 확인해 주세요. 접수된 신청은 그대로 있고, 켜면 전달됩니다.`;
    return warn(sentence);
  }
  return answer.ok || isKnown
    ? ok(`사이트가 ${address}에서 응답합니다.`)
    : fault(
        "사이트는 응답하지만 전달 작업이 멈춰 있습니다. 사이트를 다시 시작해 주세요. 접수된 신청은 그대로 있고, 다시 전달됩니다.",
      );
}

function addressOf({ hostname, port }: Config): string {
  const here = hostname === "0.0.0.0" || hostname === "::" ? "127.0.0.1" : hostname;
  return `http://${here.includes(":") ? `[${here}]` : here}:${port}`;
}

/** Whether the owner would be reached, without sending anything. */
export async function examineChannels(config: Config): Promise<Finding[]> {
  const found = await Promise.all(CHANNEL_NAMES.map((name) => CHANNELS[name].diagnose(config)));
  if (found.every((findings) => findings === undefined)) {
    const settings = CHANNEL_NAMES.map((name) => CHANNELS[name].settings).join(" 또는 ");
    const sentence = `문자도 메일도 설정되지 않아 신청이 파일로만 쌓이고 아무에게도 알려지지 않습니다. .env에 ${settings} 설정을 넣어 주세요.`;
    return [fault(sentence)];
  }
  return CHANNEL_NAMES.flatMap((name, index) => {
    const word = CHANNEL_WORDS[name];
    const sentence = `${word} 설정이 없어 모든 신청이 다른 길로만 가고, 그 길이 막히면 알릴 수 없습니다. ${word}도 쓰시려면 .env에 ${CHANNELS[name].settings} 설정을 넣어 주세요.`;
    return found[index] ?? [warn(sentence)];
  });
}
