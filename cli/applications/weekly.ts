import { parseArgs } from "node:util";
import { type Command, withStore } from "#cli/applications/command.ts";
import { forTerminal } from "#cli/applications/terminal.ts";
import { say } from "#cli/say.ts";
import { formatPhone } from "#lib/application/phone.ts";
import type { SendOutcome } from "#lib/channels/channel.ts";
import { openChannels } from "#lib/channels/open.ts";
import {
  type SummaryEntry,
  summaryView,
  type WeeklySummary,
} from "#lib/channels/weekly-summary.ts";
import type { Config } from "#lib/config.ts";

const WEEK_MS = 7 * 24 * 60 * 60_000;
/** A mail server may take ten minutes for its last answer. */
const SEND_LIMIT_MS = 15 * 60_000;

/** What came in during the last seven days, as the owner's Monday mail says it. */
export const weekly: Command = {
  usage: "weekly",
  does: "지난 7일의 신청과 전달 결과 보기",
  options: ["--send         지금 메일(메일이 없으면 문자)로 보내기"],

  async run(args, config) {
    const options = { send: { type: "boolean", default: false } } as const;
    const { values } = parseArgs({ args, options });
    const summary = await lastSevenDays(config);
    if (!values.send) {
      for (const line of linesOf(summary)) say(line);
      return 0;
    }
    return (await send(summary, config)) ? 0 : 1;
  },
};

async function lastSevenDays(config: Config): Promise<WeeklySummary> {
  const now = Date.now();
  const found = await withStore(config, (store) => store.list({ since: now - WEEK_MS }));
  return {
    // Another mail each time: a known id would be dropped as a repeat.
    id: crypto.randomUUID(),
    from: now - WEEK_MS,
    until: now,
    nextAt: undefined,
    applications: found.toReversed(),
    now,
  };
}

function linesOf(summary: WeeklySummary): string[] {
  const { title, period, lead, entries, suspects, unlisted } = summaryView(summary);
  return [
    `${title} (${period})`,
    lead,
    "",
    ...entries.flatMap(entryLines),
    ...(suspects.length > 0
      ? ["자동 입력이 의심되는 신청", "", ...suspects.flatMap(entryLines)]
      : []),
    ...(unlisted > 0 ? [`이 밖에 ${unlisted}건이 더 있습니다: list --days 7 --limit 1000`] : []),
  ];
}

function entryLines({ number, name, phone, wish, received, fate }: SummaryEntry): string[] {
  return [
    `${number}  ${forTerminal(name)}  ${forTerminal(phone)}`,
    `           ${forTerminal(wish)}`,
    `           ${received} 접수 · ${fate}`,
    "",
  ];
}

function sentenceOn(outcome: SendOutcome): string {
  if (!("advice" in outcome)) return "보냈습니다.";
  const what = outcome.outcome === "unknown" ? "나갔는지 알 수 없습니다." : "보내지 못했습니다.";
  return `${what} ${outcome.advice}`;
}

async function send(summary: WeeklySummary, config: Config): Promise<boolean> {
  const channels = openChannels(config);
  const channel = channels.mail ?? channels.sms;
  try {
    if (channel === undefined) {
      const fault = await channels.file.writeSummary(summary);
      say(fault?.advice ?? "메일과 문자가 설정되지 않아 outbox 폴더에 파일로 적었습니다.");
      return fault === undefined;
    }
    const terms = { signal: AbortSignal.timeout(SEND_LIMIT_MS) };
    const outcomes = await channel.send({ kind: "weekly", summary }, channel.recipients, terms);
    outcomes.forEach((outcome, index) => {
      say(`${formatPhone(channel.recipients[index] ?? "")}: ${sentenceOn(outcome)}`);
    });
    return outcomes.every((outcome) => !("advice" in outcome));
  } finally {
    await Promise.all([channels.sms?.close(), channels.mail?.close()]);
  }
}
