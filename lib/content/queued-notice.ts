export const queuedNotice = {
  title: "아직 보내지 못한 [신청서가 있습니다.]",
  /** The text for an application that is locked for editing. */
  editing: "다른 창에서 [고치고 있는] 신청서가 있습니다. [고치기를 마치시면 보냅니다.]",
  /** A private window (시크릿 창) loses its queued applications when it is closed. */
  until:
    "그때까지 보내지 못하면 [{date}에 이 기기에서 삭제합니다.] 시크릿 창이라면 [창을 닫을 때] 지워집니다.",
  sending: "보관한 신청서를 보내는 중입니다.",
  notSent: "지금은 보내지 못했습니다. [잠시 뒤 자동으로 다시 보냅니다.]",
  now: "지금 보내기",
  sms: "문자로 보내기",
  remove: "삭제",
  removeAsk: "이 신청서를 삭제할까요?",
  removeYes: "삭제하기",
  expired:
    "보내지 못한 신청서를 [보관 기간({days}일)이] 지나 삭제했습니다. 아직 연수를 원하시면 [다시 신청해 주세요.]",
  rejected: "신청서가 [접수되지 않았습니다.] 내용을 고쳐서 [다시 보내 주세요.]",
  correct: "고쳐서 보내기",
} as const;
