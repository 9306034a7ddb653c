/** What happens after an application. */
export const nextSteps = {
  title: "신청하시면 [이렇게 진행됩니다]",
  /** The setting CALLBACK_PROMISE follows this sentence. */
  contact: "신청하시면 적어 주신 번호로 연락드립니다.",
  /** Stands above the submit button. The setting CALLBACK_PROMISE follows this sentence. */
  submit: "보내시면 [적어 주신 번호로] 연락드립니다.",
  /** Screen readers read this after the first step, below a receipt. */
  doneLabel: " 완료",
  apply: { name: "① 신청서 쓰기", text: "전화나 문자로 신청하셔도 됩니다." },
  /** The setting CALLBACK_PROMISE replaces this text. */
  call: { name: "② 전화 드리기", text: "적어 주신 번호로 연락드려 [날짜와 장소를] 정합니다." },
  /** The text is the setting FACT_PICKUP. */
  lesson: { name: "③ 첫 연수" },
} as const;
