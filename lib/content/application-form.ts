/** What the two application forms say: the one on /contact and the dialog. */
/** The label, and what helps to fill it in; `{min}` and `{max}` are the form's limits. */
export const fieldCopy = {
  name: { label: "이름", placeholder: "이름을 적어 주세요" },
  phone: { label: "전화번호", placeholder: "010-0000-0000" },
  gender: { label: "성별" },
  age: { label: "나이", placeholder: "예: 34", hint: "{min}세부터 {max}세까지" },
  region: {
    label: "연수 지역",
    placeholder: "지역을 골라 주세요",
    hint: "{missing}는 전화나 문자로 신청해 주세요.",
  },
  preferredDate: { label: "희망 날짜" },
  dayType: { label: "요일" },
  timeSlot: { label: "시간대" },
  carType: { label: "연수 차량" },
  message: {
    label: "남기실 말씀",
    placeholder: "여성 강사 희망, 원하는 차종, 어려운 점 등을 적어 주세요.",
  },
} as const;

export const applicationForm = {
  title: "연수 신청서",
  note: {
    contact: "남기실 말씀 외에는 모두 필수입니다",
    dialog: "표시는 꼭 적어 주세요.",
  },
  groups: {
    person: "신청하시는 분",
    schedule: "원하는 지역과 일정",
    car: "차량과 요청",
  },
  optional: "(선택)",
  pastDate: "지난 날짜입니다. 맞는지 한 번 더 봐 주세요.",
  submit: { contact: "연수 신청 보내기", dialog: "신청하기" },
  again: "다시 신청하기",
  busy: "접수하는 중입니다",
  cancel: "취소",
  close: "닫기",
  /** Under the form on /contact; of the last two only where the code for a panel did not come. */
  last: {
    received: "접수번호 [{number},] [{time}에] 접수되었습니다.",
    kept: "아직 보내지 못한 신청서를 이 기기에 보관하고 있습니다. 임시 번호 [{number}]",
    failed: "오류가 발생했습니다. 적어 주신 내용은 그대로 있습니다.",
    sms: "문자로 보내기",
  },
} as const;
