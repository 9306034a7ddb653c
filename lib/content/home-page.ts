import { galleryPage } from "#lib/content/gallery-page.ts";
import { koreanCount } from "#lib/content/korean-words.ts";
import {
  COURSE_HOURS,
  calculateSaving,
  formatGroupPrice,
  formatSavings,
  formatWon,
  offers,
} from "#lib/content/prices.ts";
import { formatRegionName, regions } from "#lib/content/regions.ts";
import { textApplicationFields } from "#lib/content/text-application.ts";
import { practiceSituations } from "#lib/content/wishes.ts";

const regionCountWord = koreanCount(regions.length);
const trainingCarOffers = offers.filter((offer) => offer.group === "training");
const academyCarPrice = formatGroupPrice("training");

export const hero = {
  title: "면허는 있는데⏎운전은 아직 무섭다면",
  lead: `내 차로도, 연수차로도 [배울 수 있는] [${COURSE_HOURS}시간 운전연수입니다.]⏎m⏎d 강사가 옆자리에 앉아 [차근차근 알려 드립니다.]`,
  regions: regions.map(formatRegionName).join(" "),
  prices: [`${COURSE_HOURS}시간 기준 자차 ${formatGroupPrice("own")}`, `연수차 ${academyCarPrice}`],
  apply: "연수 신청하기",
  sms: "문자로 문의하기",
  gallery: `${galleryPage.name} 보기`,
  picture: {
    src: "/art/hero.svg",
    width: 1600,
    height: 900,
    alt: "강과 언덕 사이로 이어지는 아침 도로를 달리는 초보운전 차량",
  },
  phonePicture: { src: "/art/hero-mobile.svg", width: 800, height: 1000, alt: "" },
} as const;

export const hourStrip = {
  title: `연수는 모두 ${COURSE_HOURS}시간`,
  text: "한 칸에 한 시간씩 나아갑니다.",
} as const;

export const features = {
  title: "다시 도로에 나서는 날까지⏎서두르지 않습니다",
  lead: "운전이 오랜만이어도, [면허를 따신 뒤] 처음이어도 괜찮습니다. 지금 [하실 수 있는 것부터] 시작합니다.",
  professional: {
    title: "강사와 함께 타는 전문 연수",
    text: "시동 거는 것부터 도로 주행까지, 강사가 옆에서 하나씩 짚어 드립니다.",
    plate: "[초보][운전]",
  },
  area: {
    title: "이천부터 천안까지 넓은 연수 지역",
    text: `경기·강원·충청의 [${regionCountWord} 지역에서] 연수합니다.`,
  },
  times: {
    title: "평일도 주말도, 야간에도",
    text: "요일과 시간대를 골라 신청해 주세요.",
    caption: "신청할 수 있는 요일과 시간대",
    day: "요일",
    possible: "가능",
  },
  personal: {
    title: "어려운 상황은⏎d 맞춤 연습으로",
    text: "지금 실력과 어려워하시는 상황에 맞춰 연습합니다.",
    practices: practiceSituations,
  },
  female: {
    title: "여성 강사를⏎d 원하신다면",
    text: "일정에 맞춰 [여성 강사를] [배정해 드립니다.] [신청하실 때] [적어 주세요.]",
    bubble: "여성 강사님으로 부탁드려요",
  },
} as const;

export const regionSection = {
  title: `${regionCountWord} 지역에서 연수합니다`,
  lead: "사시는 곳과 가까운 지역으로 신청해 주세요.",
  ask: "찾으시는 지역이\u00a0없으시면",
  /** The words of a link. An arrow follows the last word. */
  askLink: ["문자로", "물어보기"],
  /** On the sign of a region that the form lacks: the sign opens a text message. */
  byText: "문자",
} as const;

const hasOneTrainingPrice = trainingCarOffers.every(
  (offer) => offer.price === trainingCarOffers[0]?.price,
);
/** `중형도 SUV도`, from titles such as `연수차 중형`. */
const trainingCarWords = trainingCarOffers
  .map(({ title }) => `${title.split(" ").at(-1)}도`)
  .join(" ");

const mostSaved = Math.max(...offers.map(calculateSaving));

interface Benefit {
  /** Small words before the figure. */
  readonly before?: string;
  readonly figure: string;
  readonly title: string;
  readonly text: string;
}

const benefits: readonly Benefit[] = [
  {
    before: "최대",
    figure: formatWon(mostSaved),
    title: "정가에서 바로 할인",
    text: `${formatSavings(offers)} [할인됩니다.]`,
  },
  {
    figure: academyCarPrice,
    title: hasOneTrainingPrice ? `${trainingCarWords} 같은 금액` : "강사가 준비한 연수차로",
    text: hasOneTrainingPrice
      ? `연수차는 어느 쪽을 고르셔도 ${COURSE_HOURS}시간에 [${academyCarPrice}입니다.]`
      : `연수차로 배우시면 ${COURSE_HOURS}시간에 [${academyCarPrice}입니다.]`,
  },
  {
    figure: "여성 강사",
    title: "원하시면 여성 강사로",
    text: "신청하실 때 적어 주시면 일정에 맞춰 [배정해 드립니다.]",
  },
];

const hasDiscount = mostSaved > 0;

export const promotion = {
  title: `${COURSE_HOURS}시간 연수를⏎${hasDiscount ? "할인된" : "정해진"} 가격으로`,
  apply: hasDiscount ? "할인가로 신청하기" : hero.apply,
  benefits: benefits.slice(hasDiscount ? 0 : 1),
} as const;

export const exampleApplicationValues = {
  name: "홍길순",
  gender: "여성",
  age: "34",
  region: "여주",
  dayType: "주말",
  timeSlot: "오전",
  carType: "자차",
} as const;

export const textApplicationSection = {
  title: "문자 한 통으로⏎신청하실 수 있습니다",
  lead: `다음 ${koreanCount(textApplicationFields.length)} 가지를 적어 {phone} [번호로 보내 주세요.]`,
  apply: "신청서 쓰기",
  memo: "문자에 적을 내용",
  example: "예시",
  sms: "문자로 신청하기",
} as const;

export const closingSection = {
  title: `첫 ${COURSE_HOURS}시간,⏎옆자리에서 함께하겠습니다`,
  lead: "궁금한 점이 있으시면 편하게 물어보세요.",
  apply: "연수 신청하기",
  sms: "문자 보내기",
  picture: { src: "/art/cta.svg", width: 1600, height: 600, alt: "" },
} as const;
