import { type Command, CommandError, withApplication } from "#cli/applications/command.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { MINUTE } from "#lib/application/durations.ts";
import { type ResendResult, resendApplication } from "#lib/delivery/resend.ts";
import { REPEAT_MAIL_AFTER_MS, SEARCH_PAUSES_MS } from "#lib/delivery/retry.ts";

const inMinutes = (ms: number) => `${ms / MINUTE}분`;
/** npm takes an option for its own unless `--` precedes the option. */
const ADD_AGAIN_ADVICE =
  "한 번 더 받으려면 접수번호 뒤에 --again을 붙여 주세요(npm이라면 npm run applications -- resend 접수번호 --again).";

const RESULT_SENTENCES: Readonly<Record<ResendResult, string>> = {
  due: "신청을 지금 보냅니다. 문자나 메일이 설정된 사이트가 켜져 있고 문자 한도가 남아 있으면 30초 안에 나갑니다.",
  "search-first": `신청은 이미 나갔을 수 있습니다. 문자는 먼저 Twilio에 확인하고 없을 때만(${inMinutes(SEARCH_PAUSES_MS.reduce((sum, pause) => sum + pause, 0))}까지 걸립니다), 메일은 처음 보낸 때부터 ${inMinutes(REPEAT_MAIL_AFTER_MS)}이 지난 뒤 한 번만 더 보냅니다.`,
  "under-way": "신청은 바로 지금 보내고 있어 그대로 두었습니다. show 명령으로 결과를 봐 주세요.",
  done: `신청은 이미 전달되었습니다. ${ADD_AGAIN_ADVICE}`,
  accepted: `신청은 이미 보냈고, 도착 확인이나 나머지 발송을 기다리고 있습니다. 실패하면 자동으로 다른 방법으로 보냅니다. ${ADD_AGAIN_ADVICE}`,
};

export const resendCommand: Command = {
  usage: "resend 접수번호 [--again]",
  purpose: "신청 한 건을 지금 다시 보내기 (--again: 이미 전달된 것도 한 번 더)",
  options: { again: { type: "boolean" } },

  run(words, config, { again }) {
    return withApplication(config, words, async (found, store) => {
      const options = { again: again === true, now: Date.now() };
      const result = await resendApplication(store, found.applicationId, options);
      const number = formatApplicationId(found.applicationId);
      const sentence = `${number} ${RESULT_SENTENCES[result]}`;
      if (result !== "due" && result !== "search-first") throw new CommandError(sentence);
      console.info(`${sentence} 결과 보기: show ${number}`);
    });
  },
};
