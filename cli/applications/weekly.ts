import { parseArgs } from "node:util";
import { type Command, withStore } from "#cli/applications/command.ts";
import { sendNow } from "#cli/applications/send.ts";
import { linesForTerminal } from "#cli/applications/terminal.ts";
import { say } from "#cli/say.ts";
import type { WeeklySummary } from "#lib/channels/carrier.ts";
import { openCarriers } from "#lib/channels/carriers.ts";
import { mailFor } from "#lib/channels/mail/message.ts";
import type { Config } from "#lib/config.ts";
import { CARRIER_NAMES } from "#lib/storage/tables.ts";

const WEEK_MS = 7 * 24 * 60 * 60_000;

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
      const nobody = { from: "", to: [] };
      for (const line of linesForTerminal(mailFor({ kind: "weekly", summary }, nobody).text))
        say(line);
      return 0;
    }
    const name = config.mail ? "mail" : CARRIER_NAMES.find((each) => config[each]);
    if (name) return (await sendNow(name, { kind: "weekly", summary }, config)) ? 0 : 1;
    const fault = await openCarriers(config).file.write({ kind: "weekly", summary });
    say(fault?.advice ?? "메일과 문자가 설정되지 않아 outbox 폴더에 파일로 적었습니다.");
    return fault ? 1 : 0;
  },
};

async function lastSevenDays(config: Config): Promise<WeeklySummary> {
  const now = Date.now();
  const found = await withStore(config, (store) => store.list({ since: now - WEEK_MS }));
  const applications = found.toReversed();
  // Another mail each time: a known id would be dropped as a repeat.
  const id = crypto.randomUUID();
  return { id, from: now - WEEK_MS, until: now, nextAt: undefined, applications, now };
}
