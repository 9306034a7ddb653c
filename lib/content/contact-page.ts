import { textApplicationLabelsWithParticle } from "#lib/content/text-application.ts";

export const contactTexts = {
  title: "연수 신청",
  /** The page shows the setting CALLBACK_PROMISE between these two sentences. */
  lead: {
    form: "신청서를 보내 주시면 [적어 주신 번호로] 연락드립니다.",
    call: "바로 [상담하고 싶으시면] 전화나 문자를 주세요.",
  },
  info: {
    phone: "전화",
    sms: "문자·메신저",
    smsNote: "전화와 같은 번호입니다",
    messengerLink: "메신저로 문의하기",
    regions: "지역",
    times: "시간",
  },
  hint: {
    title: "문자로도 신청하실 수 있습니다",
    text: `${textApplicationLabelsWithParticle} [적어 보내 주세요.]`,
    link: "문자로 신청하기",
  },
  strip: {
    title: "전화나 문자로 바로 상담하셔도 좋습니다",
    call: "전화하기",
    sms: "문자 보내기",
  },
} as const;
