import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import {
  type Command,
  type FoundApplication,
  NO_SUCH_APPLICATION,
  withApplication,
} from "#cli/applications/command.ts";
import { complain, say } from "#cli/say.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import type { Config } from "#lib/config.ts";
import type { Resent } from "#lib/storage/queries/resend.ts";

/** Sends one application now, whether it waits, was given up, or was delivered before. */
export const resend: Command = {
  usage: "resend 접수번호",
  does: "신청 한 건을 지금 다시 보내기",
  options: ["--again   이미 전달된 신청도 묻지 않고 한 번 더 보냄"],

  async run(args, config) {
    const options = { again: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return withApplication(config, positionals.join(""), async (found, store) => {
      const { applicationId } = found;
      const ask = (again: boolean) => store.resend(applicationId, { again, now: Date.now() });
      let resent = await ask(values.again);
      if (resent.outcome === "delivered" && (await confirms(resent.settledAt))) {
        resent = await ask(true);
      }
      const sentence = sentenceOn(resent, found, config);
      if (resent.outcome === "due") say(sentence);
      else complain(sentence);
      return resent.outcome === "due" ? 0 : 1;
    });
  },
};

function sentenceOn(resent: Resent, found: FoundApplication, config: Config): string {
  const number = formatApplicationId(found.applicationId);
  switch (resent.outcome) {
    case "due":
      return `${number} 신청을 지금 보냅니다. ${caution(resent.from, found)}사이트가 켜져 있으면 30초 안에 ${wayOf(found, config)} 결과 보기: show ${number}`;
    case "delivered":
      return `${number} 신청은 ${deliveredAt(resent.settledAt)} 이미 전달되었습니다. 한 번 더 받으려면 --again을 붙여 주세요.`;
    case "under-way":
      return resent.state === "leased"
        ? `${number} 신청은 바로 지금 보내고 있어 그대로 두었습니다. 2분 뒤 결과 보기: show ${number}`
        : `${number} 신청은 보냈고 휴대폰에 도착했는지 확인하는 중입니다. 늦어도 30분 안에 결과가 나오고, 실패하면 저절로 다른 길로 나갑니다.`;
    case "in-digest":
      return `${number} 신청은 문자 발송 한도 때문에 다른 신청과 함께 ${seoulDateTime(resent.dueAt)}에 메일 한 통으로 나갑니다. 그대로 두었습니다.`;
    case "absent":
      return NO_SUCH_APPLICATION;
  }
}

/** A warning about the state that the application was in; empty where there is none. */
function caution(from: FoundApplication["state"], { messages }: FoundApplication): string {
  if (from !== "unknown") return "";
  return messages.some(({ transport }) => transport === "sms")
    ? "이미 나갔을 수 있어 먼저 Twilio에 확인하고, 없을 때만 다시 보냅니다. "
    : "이미 나갔을 수 있어, 처음 보낸 때부터 15분이 지난 뒤 같은 메일(같은 Message-ID)을 한 번만 더 보냅니다. ";
}

/** Which channel takes it first, by the settings. */
function wayOf({ channel, suspicion }: FoundApplication, { sms, mail }: Config): string {
  const bySms = sms !== undefined && suspicion === undefined;
  if (channel === "sms" && bySms) return "문자로 나갑니다.";
  if (mail !== undefined) return "메일로 나갑니다.";
  if (bySms) return "문자로 나갑니다.";
  return "outbox 폴더의 파일로 쓰입니다(문자와 메일이 아직 설정되지 않았습니다).";
}

function deliveredAt(settledAt: number | undefined): string {
  return settledAt === undefined ? "" : `${seoulDateTime(settledAt)}에`;
}

/** Asks a person at a terminal; a script says --again. */
async function confirms(settledAt: number | undefined): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const question = `${deliveredAt(settledAt)} 이미 전달된 신청입니다. 한 번 더 보낼까요? (y/N) `;
    return /^(y|yes|예|네)$/i.test((await terminal.question(question.trimStart())).trim());
  } finally {
    terminal.close();
  }
}
