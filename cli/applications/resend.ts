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
import { CARRIER_WORDS } from "#lib/channels/words.ts";
import type { Config } from "#lib/config.ts";
import type { Resent } from "#lib/storage/queries/resend.ts";
import { CARRIER_NAMES } from "#lib/storage/tables.ts";

/** Sends one application now, whether it waits, was given up, or was delivered before. */
export const resend: Command = {
  usage: "resend 접수번호",
  does: "신청 한 건을 지금 다시 보내기",
  options: ["--again   이미 전달된 신청도 한 번 더 보냄"],

  async run(args, config) {
    const options = { again: { type: "boolean", default: false } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return withApplication(config, positionals.join(""), async (found, store) => {
      const { applicationId } = found;
      const terms = { again: values.again, now: Date.now() };
      const resent = await store.resend(applicationId, terms);
      const sentence = `${formatApplicationId(applicationId)} ${sentenceOn(resent, found, config)}`;
      if (resent.outcome === "due") say(sentence);
      else complain(sentence);
      return resent.outcome === "due" ? 0 : 1;
    });
  },
};

function sentenceOn(resent: Resent, found: FoundApplication, config: Config): string {
  const look = `결과 보기: show ${formatApplicationId(found.applicationId)}`;
  switch (resent.outcome) {
    case "due":
      return resent.doubtful
        ? `신청은 이미 나갔을 수 있습니다. ${cautionOn(found)} ${look}`
        : `신청을 지금 보냅니다. 사이트가 켜져 있으면 30초 안에 ${wayOf(found, config)} ${look}`;
    case "done":
      return `신청은 ${timeOf(resent.settledAt)} 이미 전달되었습니다. 한 번 더 받으려면 --again을 붙여 주세요.`;
    case "sent":
      return "신청은 보냈고 휴대폰에 도착했는지 확인하는 중입니다. 늦어도 30분 안에 결과가 나오고, 실패하면 저절로 다른 길로 나갑니다. 기다리지 않고 한 번 더 받으려면 --again을 붙여 주세요.";
    case "under-way":
      return `신청은 바로 지금 보내고 있어 그대로 두었습니다. ${look}`;
    case "in-digest":
      return `신청은 문자 발송 한도 때문에 다른 신청과 함께 ${seoulDateTime(resent.dueAt)}에 메일 한 통으로 나갑니다. 그대로 두었습니다.`;
    case "absent":
      return NO_SUCH_APPLICATION;
  }
}

/** What is done first where a message may be out. */
function cautionOn({ sends }: FoundApplication): string {
  return sends.findLast(({ outcome }) => outcome === "unknown")?.carrier === "sms"
    ? "먼저 Twilio에 확인하고, 없을 때만 다시 보냅니다(6분까지 걸립니다)."
    : "처음 보낸 때부터 15분이 지난 뒤 같은 메일을 한 번만 더 보냅니다.";
}

/** Which carrier takes it first, by the settings. */
function wayOf({ route, suspicion }: FoundApplication, config: Config): string {
  const wished = suspicion === undefined ? route : "mail";
  const carrier = [wished, ...CARRIER_NAMES].find((each) => config[each]);
  return carrier
    ? `${CARRIER_WORDS[carrier]}로 나갑니다.`
    : "outbox 폴더의 파일로 쓰입니다(문자와 메일이 아직 설정되지 않았습니다).";
}

const timeOf = (time: number | undefined) => (time === undefined ? "" : `${seoulDateTime(time)}에`);
