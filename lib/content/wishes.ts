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

export const wishes: readonly Wish[] = [
  { label: "여성 강사 희망", words: "여성 강사 희망" },
  { label: "중형 희망", words: "중형 연수차 희망", car: "midsize" },
  { label: "SUV 희망", words: "SUV 연수차 희망", car: "suv" },
  ...practiceSituations.map(({ id, label }) => ({ id, label, words: `${label} 연습` })),
];
