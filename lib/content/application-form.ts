import { FIELDS, OPTIONAL_FIELDS } from "#lib/application/fields.ts";

/** Shown below a field. In `age`, `{min}` and `{max}` are the ages that the form accepts. */
export const fieldHints = {
  age: {
    limits: "{min}세부터 {max}세까지",
    /** Shown in the dialog for an age that only /contact accepts. */
    tooOldForDialog: "{over}세 이상이시면 연수 신청 페이지에서 신청해 주세요.",
    link: "적으신 내용 그대로 이어서 쓰기",
  },
  region: "{missing} 전화나 문자로 신청해 주세요.",
  message: {
    near: "{left}자 더 적으실 수 있습니다.",
    beyond: "{max}자까지 적으실 수 있습니다. {over}자를 줄여 주세요.",
  },
} as const;

export const optionalFieldLabelsText = OPTIONAL_FIELDS.map((field) => FIELDS[field].label).join(
  ", ",
);

export const applicationFormTexts = {
  title: "연수 신청서",
  note: {
    contact: `${optionalFieldLabelsText}만 빼고 모두 적어 주세요.`,
    dialog: "표시가 있는 항목은 꼭 입력해 주세요.",
  },
  /** Beside the road whose dashes turn yellow: how many of the required fields are filled in. */
  count: "{all}칸 중 {filled}칸",
  groups: {
    person: "신청하시는 분",
    schedule: "원하시는 지역과 일정",
    car: "차량과 요청",
  },
  optional: "(선택)",
  pastDate: "지난 날짜입니다. 한 번 더 확인해 주세요.",
  /** Shown if the chosen date does not fit the chosen 평일 or 주말. */
  otherDay: "{date}은 {weekday}요일입니다. 요일을 확인해 주세요.",
  weekday: "{weekday}요일",
  wishes: "원하시는 항목을 누르시면 [‘남기실 말씀’에 적힙니다.]",
  /** The end of a text message that was shortened. */
  cut: "(뒤는 생략)",
  /** Shown for an application that the visitor has taken back from the device. */
  unsent: "아직 보내지 않은 신청서입니다. 고치신 뒤 [‘신청서 보내기’를] 눌러 주세요.",
  submit: "신청서 보내기",
  busy: "보내는 중입니다",
  cancel: "취소",
  close: "닫기",
} as const;
