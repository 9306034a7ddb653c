/** The fields of an application. CONTRIBUTING.md says what else a new field needs. */

export const FORM_NAMES = ["dialog", "contact"] as const;
export type FormName = (typeof FORM_NAMES)[number];

export const POST_PATHS = {
  dialog: "/api/sms/training-application",
  contact: "/api/mail/training-application",
} as const satisfies Record<FormName, string>;

export const AGE_MIN_YEARS = 18;
export const AGE_MAX_YEARS_BY_FORM: Record<FormName, number> = { dialog: 80, contact: 100 };

export interface FieldOption<Code extends string = string> {
  readonly code: Code;
  readonly label: string;
}

const toOptions = <Code extends string>(
  labels: Record<Code, string>,
): readonly FieldOption<Code>[] =>
  (Object.keys(labels) as Code[]).map((code) => ({ code, label: labels[code] }));

interface FieldFacts {
  label: string;
  /** The label in lists of fields: above the submit button, and in the application by text message. */
  shortLabel?: string;
  /** The label in messages to the owner, if it differs. */
  ownerLabel?: string;
  placeholder?: string;
  group: "person" | "schedule" | "car";
  options?: readonly FieldOption[];
  /** True: the visitor picks the value from a list or a calendar, so an error asks to choose, not to write. */
  isPicked?: true;
  maxCharacters?: number;
  isMultiline?: true;
  isOptional?: true;
  inSummary?: true;
  /** True: messages to the owner show the field on the line of the previous field, as in `여성/32`. */
  onLineOfPreviousField?: true;
}

export const FIELDS = {
  name: {
    label: "이름",
    placeholder: "이름을 적어 주세요",
    group: "person",
    maxCharacters: 50,
  },
  /** E.164 (`+821012345678`), or a Korean service number as it is dialled (`15881234`). */
  phone: { label: "전화번호", placeholder: "010-0000-0000", group: "person" },
  gender: {
    label: "성별",
    group: "person",
    options: toOptions({ male: "남성", female: "여성" }),
    inSummary: true,
  },
  age: {
    label: "나이",
    placeholder: "예: 34",
    group: "person",
    inSummary: true,
    onLineOfPreviousField: true,
  },
  region: {
    label: "연수 지역",
    shortLabel: "지역",
    placeholder: "지역을 골라 주세요",
    group: "schedule",
    isPicked: true,
    inSummary: true,
  },
  /** A calendar date in Asia/Seoul, `YYYY-MM-DD`. */
  preferredDate: {
    label: "희망 날짜",
    placeholder: "날짜를 골라 주세요",
    group: "schedule",
    isPicked: true,
    inSummary: true,
  },
  dayType: {
    label: "요일",
    group: "schedule",
    options: toOptions({ weekday: "평일", weekend: "주말" }),
    inSummary: true,
  },
  timeSlot: {
    label: "시간대",
    group: "schedule",
    options: toOptions({ morning: "오전", afternoon: "오후", night: "야간" }),
    inSummary: true,
    onLineOfPreviousField: true,
  },
  carType: {
    label: "연수 차량",
    shortLabel: "차량",
    group: "car",
    options: toOptions({ own: "자차", training: "연수차" }),
    inSummary: true,
  },
  message: {
    label: "남기실 말씀",
    ownerLabel: "남기신 말씀",
    placeholder: "여성 강사 희망, 원하시는 차종, 어려운 점 등을 적어 주세요.",
    group: "car",
    maxCharacters: 1_000,
    isMultiline: true,
    isOptional: true,
  },
} as const satisfies Record<string, FieldFacts>;

export type FieldName = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

type Empty<Facts> = Facts extends { isOptional: true } ? "" : never;
type Value<Field extends FieldName, Facts = (typeof FIELDS)[Field]> = Field extends "age"
  ? number
  : Facts extends { options: readonly FieldOption<infer Code>[] }
    ? Code | Empty<Facts>
    : string;

/** A valid application: options are codes, texts are trimmed NFC with `\n` as line break; optional fields may be ''. */
export type Application = { [Field in FieldName]: Value<Field> };

export const fieldFacts = (field: FieldName): FieldFacts => FIELDS[field];

export const OPTIONAL_FIELDS = FIELD_NAMES.filter((field) => fieldFacts(field).isOptional);
export const SUMMARY_FIELDS = FIELD_NAMES.filter((field) => fieldFacts(field).inSummary);

export const shortFieldLabel = (field: FieldName) =>
  fieldFacts(field).shortLabel ?? ownerFieldLabel(field);
export const ownerFieldLabel = (field: FieldName) =>
  fieldFacts(field).ownerLabel ?? FIELDS[field].label;

/** The Korean label of an option's code. Any other value is returned unchanged. */
export function formatFieldValue(field: FieldName, value: string | number): string {
  const option = fieldFacts(field).options?.find(({ code }) => code === value);
  return option?.label ?? String(value);
}

export const HONEYPOT_FIELD = "homepage";
