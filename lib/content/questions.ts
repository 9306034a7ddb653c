/** The questions at the end of /pricing, with answers in the notation of text-notation.ts. Add what visitors ask. */
import { koreanCount } from "#lib/content/korean-words.ts";
import { COURSE_HOURS, formatGroupPrice } from "#lib/content/prices.ts";
import { joinRegionNames, phoneOnlyRegionNames, regions } from "#lib/content/regions.ts";
import { textApplicationLabelsWithParticle } from "#lib/content/text-application.ts";

export const pricingQuestions = {
  title: "자주 묻는 질문",
  always: [
    {
      question: "내 차와 연수차 가운데 어느 쪽으로 배우면 되나요?",
      answer: `운전하실 차가 있으시면 [그 차(자차)로,] 없으시면 강사가 준비한 연수차로 배우시면 됩니다. ${COURSE_HOURS}시간에 [자차는 ${formatGroupPrice("own")},] [연수차는 ${formatGroupPrice("training")}입니다.]`,
    },
    {
      question: "어느 지역에서 연수하나요?",
      answer: `${joinRegionNames()}, 모두 ${koreanCount(regions.length)} 곳입니다.${
        phoneOnlyRegionNames.length > 0
          ? ` 이 가운데 ${phoneOnlyRegionNames.join(", ")} 지역은 전화나 문자로 [신청해 주세요.]`
          : ""
      }`,
    },
    {
      question: "주말이나 야간에도 배울 수 있나요?",
      answer: "네. 평일과 주말 모두 오전, 오후, 야간 가운데 [골라서 신청하실 수 있습니다.]",
    },
    {
      question: "여성 강사에게 배울 수 있나요?",
      answer: "네. 신청서나 문자에 적어 주시면 일정에 맞춰 여성 강사를 [배정해 드립니다.]",
    },
    {
      question: "신청서를 쓰지 않고 신청할 수 있나요?",
      answer: `네. [{phone}] 번호로 전화하시거나, ${textApplicationLabelsWithParticle} 적어 [문자를 보내 주세요.]`,
    },
    {
      question: "운전을 쉰 지 오래되었는데 괜찮나요?",
      answer:
        "네. 면허를 따신 뒤 처음이어도 괜찮습니다. 시동 거는 것부터 도로 주행까지, 강사가 옆자리에서 [하나씩 짚어 드립니다.]",
    },
  ],
  /** Questions whose answers are settings (`CALLBACK_PROMISE`, `FACT_…`). */
  ifConfigured: {
    callbackPromise: "신청하면 언제 연락이 오나요?",
    factInsurance: "연수차는 보험에 가입되어 있나요?",
    factInsuranceOwn: "내 차로 배울 때 보험은 어떻게 되나요?",
    factBrake: "연수차에 보조 브레이크가 있나요?",
    factInstructors: "강사는 어떤 자격을 갖추고 있나요?",
    factRefund: "연수를 중간에 그만두면 환불받을 수 있나요?",
  },
};

export function answeredQuestions(facts: Readonly<Record<string, unknown>>) {
  const answered = Object.entries(pricingQuestions.ifConfigured).map(([fact, question]) => ({
    question,
    answer: String(facts[fact] ?? ""),
  }));
  return [...pricingQuestions.always, ...answered.filter(({ answer }) => answer !== "")];
}
