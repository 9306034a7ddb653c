/** What the page /contact says around the form, and in the panels that take the form's place. */
export const contact = {
  title: "연수 신청",
  lead: "신청서를 보내 주시면 적어 주신 번호로 연락드립니다. 바로 이야기하고 싶으면 전화나 문자를 주세요.",
  info: {
    phone: "전화",
    sms: "문자·메신저",
    smsNote: "전화와 같은 번호입니다",
    regions: "지역",
    times: "시간",
  },
  hint: {
    title: "문자로도 신청할 수 있습니다",
    text: "성별, 나이, 지역, 희망 날짜, 요일, 시간대, 차량을 [적어 보내 주세요.]",
    link: "문자로 신청하기",
  },
  strip: {
    title: "신청서 대신 바로 이야기해도 좋습니다",
    call: "전화하기",
    sms: "문자 보내기",
  },
} as const;

export const received = {
  title: "신청이 접수되었습니다",
  text: "적어 주신 [번호({phone})로] 연락드리겠습니다.",
  number: "접수번호",
  time: "접수 시각",
  summary: "신청 내용",
  sms: "문자로도 보내기",
  line: "접수번호 [{number}], {time}에 접수되었습니다.",
} as const;

export const kept = {
  title: "신청서를 이 기기에⏎m 보관했습니다",
  text: "연결에 문제가 있어 아직 보내지 못했습니다. [연결이 돌아오면] 이 기기에서 [자동으로 보냅니다.] [(오프라인 모드)]",
  number: "임시 번호",
  time: "보관 시각",
  summary: "문자로 보낼 내용",
  sms: "문자로 보내기",
  line: "아직 보내지 못한 신청서를 이 기기에 보관하고 있습니다. 임시 번호 [{number}]",
} as const;

export const panel = {
  copy: "내용 복사",
  copied: "복사했습니다",
  copyByHand: "아래 내용을 선택했습니다. 길게 누르거나 Ctrl+C로 복사해 주세요.",
  count: "{n}초 뒤 빈 신청서로 돌아갑니다",
  stay: "이 화면 계속 보기",
  fresh: "새 신청서 쓰기",
} as const;
