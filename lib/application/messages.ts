import {
  AGE_MAX_YEARS_BY_FORM,
  AGE_MIN_YEARS,
  FIELDS,
  type FieldName,
  type FormName,
  fieldFacts,
} from "#lib/application/fields.ts";
import { withObjectParticle, withTopicParticle } from "#lib/content/korean-words.ts";

export const phoneProblems = {
  mobile: "휴대전화 번호는 11자리입니다. 한 번 더 확인해 주세요.",
  // A no-break space and word joiners keep the example on one line.
  other: "전화번호를 다시 확인해 주세요. (예:\u00a0010-\u20601234-\u20605678)",
} as const;

export const fieldProblems = {
  missing(field: FieldName): string {
    const { label, options, isPicked } = fieldFacts(field);
    return `${withObjectParticle(label)} ${options || isPicked ? "골라" : "적어"} 주세요.`;
  },
  tooLong(field: FieldName): string {
    const { label, maxCharacters = 0, isOptional } = fieldFacts(field);
    const most = maxCharacters.toLocaleString("ko-KR");
    return isOptional
      ? `${withTopicParticle(label)} ${most}자까지 적으실 수 있습니다.`
      : `${withObjectParticle(label)} ${most}자 이내로 적어 주세요.`;
  },
  age(form: FormName): string {
    return `이 신청서는 ${AGE_MIN_YEARS}세부터 ${AGE_MAX_YEARS_BY_FORM[form]}세까지 쓰실 수 있습니다. ${withObjectParticle(FIELDS.age.label)} 숫자로 적어 주세요.`;
  },
  date: `${withObjectParticle(FIELDS.preferredDate.label)} 다시 골라 주세요.`,
} as const;

export const responseMessages = {
  stored: "연수 신청이 접수되었습니다.",
  invalid: "적어 주신 내용을 다시 확인해 주세요.",
  keyReused: "같은 신청이 다른 내용으로 이미 접수되어 있습니다. 새 신청서로 다시 보내 주세요.",
  malformed: "신청서를 읽지 못했습니다. 문자나 전화로 신청해 주세요.",
  tooLarge: "보내신 내용이 너무 깁니다. 남기실 말씀을 줄여서 다시 보내 주세요.",
  tooSlow: "보내는 데 시간이 너무 오래 걸렸습니다. 다시 시도해 주세요.",
  crossSite: "이 화면에서는 신청서를 보낼 수 없습니다. 사이트를 새로 열어 다시 신청해 주세요.",
  tooMany: "지금 신청이 몰리고 있습니다. 잠시 뒤 다시 시도해 주세요.",
  unavailable:
    "지금은 신청을 접수할 수 없습니다. 잠시 뒤 다시 시도하시거나 전화나 문자로 연락해 주세요.",
} as const;
