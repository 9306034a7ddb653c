/** Who teaches, as shown below the hours of the home page and above the prices of /pricing. */
import type { Picture } from "#lib/content/picture.ts";

export interface Instructor {
  /** `김연수 강사` */
  readonly name: string;
  /** A sentence in the first person, in the instructor's own words. */
  readonly words?: string | undefined;
  /** A photo beside the training car, at least 800 px wide, taken with the person's consent. */
  readonly photo?: Picture;
  /** What a visitor may rely on, in a few words each: qualification, car, second brake. */
  readonly facts: readonly string[];
}

/** The settings INSTRUCTOR_… and FACT_… name one instructor. A business with several adds the others here. */
export const otherInstructors: readonly Instructor[] = [];

export const instructorTexts = {
  title: "강사 소개",
  call: "강사에게 전화하기",
} as const;
