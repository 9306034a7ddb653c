import { FIELD_NAMES, shortFieldLabel } from "#lib/application/fields.ts";
import { withTopicParticle } from "#lib/content/korean-words.ts";

const fieldLabelsText = withTopicParticle(FIELD_NAMES.map(shortFieldLabel).join(", "));

/** An application is deleted `{days}` days after its delivery. */
export const personalDataTexts = {
  text: `적어 주신 ${fieldLabelsText} 신청 확인과 연락, 일정 조율에만 쓰고, 사업자에게 전달된 날부터 {days}일이 지나면 삭제합니다. 제공을 거부하실 수 있으며, 그 경우 전화나 문자로 [신청해 주세요.]`,
  link: "개인정보 처리방침",
} as const;
