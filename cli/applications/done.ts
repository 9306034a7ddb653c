import { type Command, CommandFault, withApplication } from "#cli/applications/command.ts";
import { formatApplicationId } from "#lib/application/application-id.ts";
import { stateWord } from "#lib/channels/words.ts";
import { closeApplication } from "#lib/delivery/resend.ts";

export const done: Command = {
  usage: "done 접수번호",
  does: "직접 연락한 신청을 끝난 것으로 표시하기 (전달하지 못한 신청)",

  run(words, config) {
    return withApplication(config, words, async (found, store) => {
      const number = formatApplicationId(found.applicationId);
      if (!(await closeApplication(store, found.applicationId, Date.now()))) {
        throw new CommandFault(
          `${number} 신청은 '${stateWord(found)}' 상태라 그대로 두었습니다. '직접 연락 필요'인 신청만 끝낼 수 있습니다.`,
        );
      }
      console.info(`${number} 신청을 직접 연락한 것으로 표시했습니다.`);
    });
  },
};
