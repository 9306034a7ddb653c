import { type Command, UsageFault } from "#cli/applications/command.ts";
import { sendNow } from "#cli/applications/send.ts";
import { say } from "#cli/say.ts";
import { seoulDateTime } from "#lib/application/seoul-time.ts";
import { CARRIERS } from "#lib/channels/carriers.ts";
import { CARRIER_NAMES } from "#lib/storage/tables.ts";

/** Sends one marked message through a carrier as it is configured here. */
export const testSend: Command = {
  usage: `test-send ${CARRIER_NAMES.join("|")}`,
  does: "시험 문자나 메일을 한 통 실제로 보내 보기",

  async run([typed, ...rest], config) {
    const name = CARRIER_NAMES.find((each) => each === typed);
    if (name === undefined || rest.length > 0) throw new UsageFault();
    const text = `[시험] 운전연수 신청 알림 시험입니다. 이 글이 보이면 설정이 맞습니다. ${seoulDateTime(Date.now())} ${new URL(config.siteUrl).host}`;
    const arrived = await sendNow(name, { kind: "test", text }, config);
    if (arrived) say(CARRIERS[name].lookFor);
    return arrived ? 0 : 1;
  },
};
