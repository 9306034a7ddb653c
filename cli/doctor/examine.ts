import { setTimeout as sleep } from "node:timers/promises";
import { examineDatabase } from "#cli/doctor/database.ts";
import { PROVIDER_CHANNELS } from "#lib/channels/names.ts";
import { CHANNEL_DEFINITIONS } from "#lib/channels/registry.ts";
import type { Config } from "#lib/config.ts";
import { dataFolderFindings } from "#lib/data-folder-findings.ts";
import { HEALTH_CACHED_FOR_MS, hasNeededChannel } from "#lib/delivery/health.ts";
import { type Finding, type FindingTopic, findingCreators } from "#lib/finding.ts";
import { requestLocally } from "#lib/request-locally.ts";
import { settingsFindings } from "#lib/settings-findings.ts";
import { localSiteUrl } from "#lib/site-address.ts";

const ANSWER_TIMEOUT_MS = 5_000;

type Pause = (ms: number) => Promise<unknown>;

export async function examineSite(config: Config, pause: Pause = sleep): Promise<Finding[]> {
  const { findings, cdnNote } = await examineDatabase(config);
  // A missing channel also makes /api/status answer 503, and settingsFindings reports it.
  const isExplained =
    !hasNeededChannel(config) ||
    findings.some(({ level, topic }) => level === "fault" && topic !== "clock");
  const examined = await Promise.all([
    examinePart("disk", () => dataFolderFindings(config)),
    examinePart("process", () => examineProcess(config, isExplained, pause)),
    examinePart("settings", () => settingsFindings(config, cdnNote)),
    ...PROVIDER_CHANNELS.map((name) =>
      examinePart(name, () => CHANNEL_DEFINITIONS[name].diagnose(config)),
    ),
  ]);
  return [...findings, ...examined.flat()];
}

async function examinePart(
  topic: FindingTopic,
  examine: () => Promise<Finding[] | undefined> | Finding[],
): Promise<Finding[]> {
  try {
    return (await examine()) ?? [];
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return [findingCreators(topic).fault(`점검을 끝내지 못했습니다(${topic}: ${words}).`)];
  }
}

/** `isExplained`: another finding already explains why /api/status answers 503. */
async function examineProcess(
  config: Config,
  isExplained: boolean,
  pause: Pause,
): Promise<Finding[]> {
  const { ok, fault } = findingCreators("process");
  const address = localSiteUrl(config);
  const ask = () =>
    requestLocally(`${address}/api/status`, ANSWER_TIMEOUT_MS).catch(() => undefined);
  let answer = await ask();
  if (answer?.status === 503 && !isExplained) {
    // The site may have answered from its memory, about something that a person has just repaired.
    await pause(HEALTH_CACHED_FOR_MS);
    answer = await ask();
  }
  if (answer === undefined) {
    const sentence = `사이트가 ${address}에서 응답하지 않습니다. 켜져 있는지 확인해 주세요. 접수된 신청은 그대로 있고, 켜면 전달됩니다.`;
    return [fault(sentence)];
  }
  if (![200, 503].includes(answer.status)) {
    const sentence = `${address}에서는 이 사이트가 아닌 다른 프로그램이 응답합니다. 그 프로그램을 끄거나 PORT 설정을 바꿔 주세요.`;
    return [fault(sentence)];
  }
  if (answer.status === 200 || isExplained) return [ok(`사이트가 ${address}에서 응답합니다.`)];
  const sentence =
    "사이트는 응답하지만 전달 작업이 멈춰 있습니다. 사이트를 다시 시작해 주세요. 접수된 신청은 그대로 있고, 다시 전달됩니다.";
  return [findingCreators("worker").fault(sentence)];
}
