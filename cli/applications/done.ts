import { type Command, withApplication } from "#cli/applications/command.ts";
import { koreanDateTime } from "#lib/application/seoul-time.ts";
import { prepareForOwner } from "#lib/channels/owner-view.ts";
import { closeApplication } from "#lib/delivery/resend.ts";
import { isIn, NEEDS_WORKER_OR_PERSON, NOTICES_UNDER_WAY } from "#lib/storage/outcomes.ts";

export const doneCommand: Command = {
  usage: "done 접수번호",
  purpose: "직접 연락한 신청을 끝난 것으로 표시하기 (어떤 신청이든, 시각도 남김)",

  run(words, config) {
    return withApplication(config, words, async (found, store) => {
      const { name, phone, number } = prepareForOwner(found);
      const who = `${number} ${name}(${phone})`;
      // An application that was resent since the call is under way, or given up, and can be closed again.
      if (found.calledAt !== undefined && !isIn(NEEDS_WORKER_OR_PERSON, found.state)) {
        const at = koreanDateTime(found.calledAt);
        console.info(`${who} 신청은 이미 ${at}에 직접 연락한 것으로 표시되어 있습니다.`);
        return;
      }
      await closeApplication(store, found.applicationId, Date.now());
      console.info(`${who} 신청을 직접 연락한 것으로 표시했습니다.`);
      if (isIn(NOTICES_UNDER_WAY, found.state)) console.info("더 보내지 않습니다.");
    });
  },
};
