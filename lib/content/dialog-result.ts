/** What the dialog on the home page says after the press, beside what application-result.ts says everywhere. */

/** The server has it. */
export const success = {
  toast: "연수 신청이 성공적으로 접수되었습니다!",
  number: "접수번호",
} as const;

/** It could not be sent. */
export const dialogFailure = {
  title: "연수 신청 처리 중 [오류가 발생했습니다.] [다시 시도해 주세요.]",
  again: "다시 보내기",
  valuesKept: "적어 주신 내용은 그대로 있습니다.",
  /** The dialog's application is kept on this device as well, and goes out once the visitor leaves it. */
  sentLater: "[창을 닫으셔도] 다시 연결되면 [자동으로 보냅니다.]",
} as const;

/** Asked when somebody cancels an application that lies on this device. */
export const cancelling = {
  ask: "보내지 못한 신청서입니다",
  send: "자동으로 보내기",
  remove: "삭제하기",
} as const;
