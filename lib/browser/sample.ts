/** For tests: a form that is filled in. */
import type { FormValues } from "#lib/browser/form-values.ts";

export const filledIn: FormValues = {
  name: "김여주",
  phone: "010-2345-6789",
  gender: "여성",
  age: "34",
  region: "여주",
  preferredDate: "2026-12-05",
  dayType: "weekend",
  timeSlot: "morning",
  carType: "own",
  message: "",
};
