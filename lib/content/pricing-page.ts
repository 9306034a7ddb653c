import { koreanCount } from "#lib/content/korean-words.ts";
import { COURSE_HOURS, offers } from "#lib/content/prices.ts";

export const pricingPage = {
  title: "연수 비용",
  lead: `내 차로 배우실지, 연수차로 배우실지 골라 주세요. [${koreanCount(offers.length)} 가지] 모두 [${COURSE_HOURS}시간 기준] 금액입니다.`,
} as const;

export const priceBlock = {
  title: `${COURSE_HOURS}시간 연수 비용`,
  lead: `어떤 차로 배우실지만 [고르시면 됩니다.] 모두 [${COURSE_HOURS}시간 기준] 금액입니다.`,
  groups: [
    { id: "own", title: "내 차로" },
    { id: "training", title: "연수차로" },
  ],
  badge: "가장 많이 선택",
  /** The words on the academy's certificate, shown before its number. */
  registration: "등록 자동차운전학원",
  listPrice: "정가",
  price: "할인가",
  won: "원",
  saving: "{amount} 할인",
  hours: `${COURSE_HOURS}시간`,
  /** `{amount}` is the price of one hour. */
  hourly: "시간당 {amount}",
  /** Settings that a price ticket lists, in this order. Fuel and insurance differ between the two kinds of car. */
  ticks: {
    own: ["factHours", "factPickup", "factFuelOwn", "factInsuranceOwn", "factChanges"],
    training: ["factHours", "factPickup", "factFuel", "factInsurance", "factChanges"],
  },
} as const;
