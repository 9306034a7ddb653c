import { parseArgs } from "node:util";
import { type Command, withStore } from "#cli/applications/command.ts";
import { statusLines } from "#cli/applications/list.ts";
import { forTerminal, json } from "#cli/applications/terminal.ts";
import { say } from "#cli/say.ts";
import { STORAGE_FAULTS } from "#cli/storage-faults.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import type { Config } from "#lib/config.ts";
import { type Health, healthOf } from "#lib/health.ts";

const ANSWER_MS = 5_000;

/** The HTTP status of the running site's health; undefined when it does not answer. */
type SiteAnswer = number | undefined;

const STATUS_WORDS: Readonly<Record<Health["status"], string>> = {
  ok: "정상입니다.",
  degraded: "신청은 접수되지만 모두 전달되지는 않고 있습니다.",
  down: "신청을 접수할 수 없습니다.",
};

/** The site's health in full. Only on the host: anybody can ask the site itself, so it says less. */
export const health: Command = {
  usage: "health",
  does: "사이트가 신청을 받고 전달하는지 보기",
  options: ["--json         프로그램이 읽을 수 있게"],

  async run(args, config) {
    const options = { json: { type: "boolean", default: false } } as const;
    const { values } = parseArgs({ args, options });
    const address = addressOf(config);
    const answer = await askSite(address);
    return withStore(config, async (store) => {
      const now = Date.now();
      const found = await healthOf({ store, config, worker: workerBehind(answer), now: () => now });
      const status = answer === undefined ? "down" : found.status;
      const code = status === "ok" ? 0 : 1;
      if (values.json) {
        say(json({ ...found, status }));
        return code;
      }
      say(`상태: ${STATUS_WORDS[status]}`);
      say(siteLine(address, answer));
      if (!found.storage.ok) say(STORAGE_FAULTS[found.storage.reason]);
      else for (const line of await statusLines(store, now)) say(line);
      for (const line of notedLines(found)) say(line);
      return code;
    });
  },
};

function addressOf({ hostname, port }: Config): string {
  const here = hostname === "0.0.0.0" || hostname === "::" ? "127.0.0.1" : hostname;
  return `http://${here.includes(":") ? `[${here}]` : here}:${port}`;
}

async function askSite(address: string): Promise<SiteAnswer> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(`${address}/api/health`, { signal });
    const { status } = await answer.json();
    // This command sees by itself when the database is out.
    return status === "down" ? 200 : answer.status;
  } catch {
    return undefined;
  }
}

/** The worker runs in the site's process, so only the site's answer tells of it. */
function workerBehind(answer: SiteAnswer) {
  if (answer === undefined) return undefined;
  const state = answer === 200 ? ("running" as const) : ("stopped" as const);
  return { status: () => ({ state, lastTurnAt: undefined }) };
}

/** What the site has noted about its clock and its backups. */
function notedLines({ clockJump, backup }: Health): string[] {
  const lines = [
    clockJump &&
      `${timeOf(clockJump.at)}에 서버 시계가 ${clockJump.minutes}분 바뀌었습니다. 그 뒤 하루 동안은 오래된 신청을 삭제하지 않습니다.`,
    backup?.at && `마지막 백업: ${timeOf(backup.at)}`,
    backup?.failure &&
      `${timeOf(backup.failure.at)}의 백업이 실패했습니다: ${forTerminal(backup.failure.why)}`,
  ];
  return lines.filter((line) => line !== undefined);
}

const timeOf = (iso: string) => seoulDateTime(Date.parse(iso));

function siteLine(address: string, answer: SiteAnswer): string {
  if (answer === undefined) {
    return `사이트가 ${address}에서 응답하지 않습니다. 켜져 있는지 확인해 주세요. 접수된 신청은 그대로 있고, 켜면 전달됩니다.`;
  }
  return answer === 200
    ? `사이트가 ${address}에서 응답합니다.`
    : "전달 작업이 멈춰 있습니다. 사이트를 다시 시작해 주세요. 접수된 신청은 그대로 있고, 다시 전달됩니다.";
}
