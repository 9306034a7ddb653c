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
} as const;

/** The notice above the submit button; `{days}` is how long a delivered application is kept. */
export const personalData = {
  text: "{brand}가 신청 확인과 연락, 연수 일정 조율을 위해 위에 적어 주신 이름·전화번호·성별·나이·지역·일정·차량·말씀을 받아, 전달된 뒤 {days}일 동안 보관합니다. 원하지 않으면 적지 않아도 되지만, 그러면 신청서를 접수할 수 없습니다.",
  link: "개인정보 처리방침",
} as const;

/** When an application could not be sent. */
export const failure = {
  title: "오류가 발생했습니다",
  unknown: "알 수 없는 오류가 발생했습니다.",
  offline: "신청은 오프라인 모드로 처리됩니다.",
  sms: "문자로 신청하기",
  call: "전화로 신청하기",
  /** Beside the text-message link: in-app browsers may not open it. */
  byHand: "문자 앱이 열리지 않으면 [{phone} 번호로] 이 내용을 보내 주세요.",
  dialog: "연수 신청 처리 중 오류가 발생했습니다. 다시 시도해 주세요.",
  valuesKept: "적어 주신 내용은 그대로 있습니다.",
  /** The dialog's application is kept on this device as well, and goes out once the visitor leaves it. */
  sentLater: "이 창을 닫으면 연결이 돌아올 때 이 기기에서 자동으로 보냅니다.",
} as const;

/** When the server has it. */
export const success = {
  toast: "연수 신청이 성공적으로 접수되었습니다!",
  number: "접수번호",
} as const;

/** What every page says of applications that wait on this device. */
export const waiting = {
  heading: "이 기기에 보관한 신청서",
  title: "아직 보내지 못한 신청서가 이 기기에 있습니다. 연결되면 자동으로 보냅니다.",
  until: "{date}까지 보관합니다.",
  sending: "보관한 신청서를 보내는 중입니다.",
  now: "지금 보내기",
  sms: "문자로 보내기",
  remove: "삭제",
  removeAsk: "이 신청서를 지울까요?",
  removeYes: "지우기",
  removeNo: "그대로 두기",
  sent: "보관했던 신청서를 보냈습니다.",
  expired:
    "보관 기간 {days}일이 지나 보내지 못한 신청서를 지웠습니다. 아직 연수를 원하시면 다시 신청해 주세요.",
  refused: "보관한 신청서를 접수할 수 없었습니다. 내용을 고쳐서 다시 보내 주세요.",
  correct: "고쳐서 보내기",
} as const;
