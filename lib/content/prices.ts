import { joinWithAnd, withTopicParticle } from "#lib/content/korean-words.ts";
import type { Picture } from "#lib/content/picture.ts";

export const COURSE_HOURS = 10;

export interface Offer {
  readonly id: "own" | "midsize" | "suv";
  /** The car is the learner's (`own`) or the academy's. */
  readonly group: "own" | "training";
  readonly title: string;
  /** The name of the offer within a sentence. */
  readonly called: string;
  readonly description: string;
  /** Won for the whole course, before and after the discount. */
  readonly listPrice: number;
  readonly price: number;
  readonly isMostChosen: boolean;
  /** 16:9, at least 800 px wide. */
  readonly picture: Picture;
  readonly backdrop: "lane" | "asphalt" | "sign";
  readonly apply: string;
}

export const offers: readonly Offer[] = [
  {
    id: "own",
    group: "own",
    title: "자차 연수",
    called: "자차",
    description: "앞으로 운전하실 [내 차로 연습합니다.] 배운 그대로 다니실 수 있습니다.",
    listPrice: 320_000,
    price: 290_000,
    isMostChosen: true,
    picture: { src: "/art/car-own.svg", width: 800, height: 450, alt: "노란색 소형 해치백" },
    backdrop: "lane",
    apply: "자차로 신청하기",
  },
  {
    id: "midsize",
    group: "training",
    title: "연수차 중형",
    called: "중형 연수차",
    description: "강사가 준비한 중형 승용차로 배웁니다. 차가 없어도 괜찮습니다.",
    listPrice: 350_000,
    price: 340_000,
    isMostChosen: true,
    picture: {
      src: "/art/car-sedan.svg",
      width: 800,
      height: 450,
      alt: "지붕에 연수 표지를 단 흰색 중형 세단",
    },
    backdrop: "asphalt",
    apply: "중형으로 신청하기",
  },
  {
    id: "suv",
    group: "training",
    title: "연수차 SUV",
    called: "SUV 연수차",
    description: "강사가 준비한 SUV로 배웁니다. [앞으로 SUV를] 운전하실 분께 [알맞습니다.]",
    listPrice: 370_000,
    price: 340_000,
    isMostChosen: false,
    picture: { src: "/art/car-suv.svg", width: 800, height: 450, alt: "초록색 SUV 연수 차량" },
    backdrop: "sign",
    apply: "SUV로 신청하기",
  },
];

/** 290000 → `290,000`. */
export function formatWonDigits(amount: number): string {
  return amount.toLocaleString("ko-KR");
}

/** 290000 → `290,000원`. */
export function formatWon(amount: number): string {
  return `${formatWonDigits(amount)}원`;
}

/** The price of one hour: `29,000원`, or `약 24,167원` if it is rounded. */
export function formatHourlyPrice({ price }: Pick<Offer, "price">): string {
  const hourly = price / COURSE_HOURS;
  return `${Number.isInteger(hourly) ? "" : "약 "}${formatWon(Math.round(hourly))}`;
}

export function calculateSaving({ listPrice, price }: Pick<Offer, "listPrice" | "price">): number {
  return listPrice - price;
}

/** `340,000원`, or `340,000원부터` if the prices differ. */
export function formatLowestPrice(some: readonly Pick<Offer, "price">[]): string {
  const prices = some.map((offer) => offer.price);
  const lowest = Math.min(...prices);
  return prices.every((price) => price === lowest) ? formatWon(lowest) : `${formatWon(lowest)}부터`;
}

export const formatGroupPrice = (group: Offer["group"]) =>
  formatLowestPrice(offers.filter((offer) => offer.group === group));

/** The highest discount first: `자차와 SUV 연수차는 30,000원, …`. */
export function formatSavings(some: readonly Pick<Offer, "called" | "listPrice" | "price">[]) {
  const amounts = [...new Set(some.map(calculateSaving))].filter((amount) => amount > 0);
  return amounts
    .sort((a, b) => b - a)
    .map((amount) => {
      const sharing = some.filter((offer) => calculateSaving(offer) === amount);
      const names = sharing.map(({ called }) => called);
      return `${joinWithAnd(names, withTopicParticle)} ${formatWon(amount)}`;
    })
    .join(", ");
}
