/**
 * The ten fields of a training application: their options and limits, each written once.
 * The server's schema, the form's constraints and the tests all read them from here.
 */

export const FORM_NAMES = ["dialog", "contact"] as const;
/** Which form the application was written in: the dialog on the home page, or the one on /contact. */
export type FormName = (typeof FORM_NAMES)[number];

export const NAME_MAX_CHARACTERS = 50;
export const MESSAGE_MAX_CHARACTERS = 1_000;
export const AGE_MIN_YEARS = 18;
/** The oldest age that each form takes, in years. */
export const AGE_MAX_YEARS: Record<FormName, number> = { dialog: 80, contact: 100 };

export interface Option<Code extends string = string> {
  readonly code: Code;
  readonly label: string;
}

export const GENDERS = [
  { code: "male", label: "남성" },
  { code: "female", label: "여성" },
] as const satisfies readonly Option[];

export const DAY_TYPES = [
  { code: "weekday", label: "평일" },
  { code: "weekend", label: "주말" },
] as const satisfies readonly Option[];

export const TIME_SLOTS = [
  { code: "morning", label: "오전" },
  { code: "afternoon", label: "오후" },
  { code: "night", label: "야간" },
] as const satisfies readonly Option[];

export const CAR_TYPES = [
  { code: "own", label: "자차" },
  { code: "training", label: "연수차" },
] as const satisfies readonly Option[];

type Gender = (typeof GENDERS)[number]["code"];
type DayType = (typeof DAY_TYPES)[number]["code"];
type TimeSlot = (typeof TIME_SLOTS)[number]["code"];
type CarType = (typeof CAR_TYPES)[number]["code"];

export const FIELD_NAMES = [
  "name",
  "phone",
  "gender",
  "age",
  "region",
  "preferredDate",
  "dayType",
  "timeSlot",
  "carType",
  "message",
] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/**
 * A field that only a program fills in: people do not see it, screen readers and autofill pass over it.
 * It is none of the ten, and is sent only when it was filled in.
 */
export const HONEYPOT_FIELD = "homepage";

/** A valid application, normalised: options are codes, text is trimmed NFC. */
export interface Application {
  /** 1 to NAME_MAX_CHARACTERS characters. */
  name: string;
  /** E.164 (`+821012345678`); a Korean number of eight digits has no such form (`15881234`). */
  phone: string;
  gender: Gender;
  /** Whole years. */
  age: number;
  /** One of the regions that the form offers; code and label are the same text. */
  region: string;
  /** A calendar date in Asia/Seoul, `YYYY-MM-DD`. */
  preferredDate: string;
  dayType: DayType;
  timeSlot: TimeSlot;
  carType: CarType;
  /** Empty when nothing was written; line breaks are `\n`. */
  message: string;
}

/** The Korean label of an option's code; a code that is none of them is shown as it is. */
export function labelOf(options: readonly Option[], code: string): string {
  return options.find((option) => option.code === code)?.label ?? code;
}
