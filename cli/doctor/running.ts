/** Whether the site runs here, and delivers: its worker lives in its process. */
import type { Config } from "#lib/config.ts";
import { type Finding, fault, ok, warn } from "#lib/finding.ts";

const ANSWER_MS = 5_000;

/** `isKnown`: what keeps the site from delivering has been found already. */
export async function examineRunning(config: Config, isKnown: boolean): Promise<Finding> {
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
