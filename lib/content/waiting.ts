/** Texts about queued applications, shown on every page. */
export const waiting = {
  title: "아직 보내지 못한 신청서가 [이 기기에] 있습니다. {promise}",
  until: "[{date}까지 보관합니다.]",
  sending: "보관한 신청서를 보내는 중입니다.",
  notSent: "지금은 보내지 못했습니다. [잠시 뒤 자동으로 다시 보냅니다.]",
  now: "지금 보내기",
  sms: "문자로 보내기",
  remove: "삭제",
  removeAsk: "이 신청서를 삭제할까요?",
  removeYes: "삭제하기",
  expired:
    "보내지 못한 신청서를 [보관 기간({days}일)이] 지나 삭제했습니다. 아직 연수를 원하시면 [다시 신청해 주세요.]",
  refused: "보관했던 신청서가 [접수되지 않았습니다.] 내용을 고쳐서 [다시 보내 주세요.]",
  correct: "고쳐서 보내기",
} as const;
