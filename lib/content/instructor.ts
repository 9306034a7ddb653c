/**
 * The instructor as shown above the prices. The owner fills in the empty object below. Registration, qualification and
 * brake are settings (ACADEMY_REGISTRATION, FACT_INSTRUCTORS, FACT_BRAKE).
 */
import type { Picture } from "#lib/content/picture.ts";

interface Instructor {
  /** `김연수 강사` */
  readonly name?: string;
  /** A portrait, at least 600 px wide, taken with the person's consent. */
  readonly photo?: Picture;
  /** `2024년식 아반떼, 조수석 보조 브레이크` */
  readonly car?: string;
}

export const instructor: Instructor = {};

export const instructorCopy = {
  title: "누가 가르치나요?",
  name: "강사",
  instructors: "자격",
  registration: "학원 등록",
  car: "연수차",
  brake: "보조 브레이크",
} as const;
