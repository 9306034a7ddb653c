import type { Offer } from "#lib/content/prices.ts";

/** Situations that a learner can practise on request. */
export const practiceSituations = [
  { id: "lane-change", label: "차로 변경" },
  { id: "parking", label: "주차" },
  { id: "junction", label: "교차로" },
  { id: "night", label: "야간 운전" },
] as const;

export interface Wish {
  readonly label: string;
  /** The chip writes these words into the message. */
  readonly words: string;
  /** The id of a situation in a link to the form. */
  readonly id?: string;
  /** The id of an offer, if the wish is about one of the academy's cars. */
  readonly car?: Offer["id"];
}

/** Each car of the academy needs a wish, which the link of its price ticket writes into the form. */
type AcademyCar = Exclude<Offer["id"], "own">;
const CAR_NAMES: Readonly<Record<AcademyCar, string>> = { midsize: "중형", suv: "SUV" };

export const wishes: readonly Wish[] = [
  { label: "여성 강사 희망", words: "여성 강사 희망" },
  ...(Object.keys(CAR_NAMES) as AcademyCar[]).map((car) => ({
    label: `${CAR_NAMES[car]} 희망`,
    words: `${CAR_NAMES[car]} 연수차 희망`,
    car,
  })),
  ...practiceSituations.map(({ id, label }) => ({ id, label, words: `${label} 연습` })),
];
