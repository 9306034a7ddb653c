/** The application by text message: what it has to name, the same wherever the site speaks of it. */
export const textItems = {
  name: "이름",
  gender: "성별",
  age: "나이",
  region: "지역",
  preferredDate: "희망 날짜",
  dayType: "요일",
  timeSlot: "시간대",
  carType: "차량",
} as const;

export type TextItem = keyof typeof textItems;

/** As the end of a sentence about it: `이름, 성별, … 차량을`. */
export const textItemList = `${Object.values(textItems).join(", ")}을`;

/** A message with one item a line, filled in as far as values are given. */
export function textApplication(values: Partial<Record<TextItem, string>> = {}): string {
  const lines = Object.entries(textItems).map(
    ([item, label]) => `${label}: ${Reflect.get(values, item) ?? ""}`,
  );
  return ["운전연수 신청", ...lines].join("\n");
}

/** What 문자로 신청하기 puts into the visitor's message app: the form, to be filled in there. */
export const blankApplication = textApplication();
