import { expect, it } from "vitest";
import {
  FIELD_NAMES,
  type FieldName,
  FORM_NAMES,
  OPTIONAL_FIELDS,
} from "#lib/application/fields.ts";
import { checkField, parseApplication } from "#lib/application/rules.ts";
import { regions } from "#lib/content/regions.ts";
import { VALID_FIELDS } from "#testing/fixtures/valid-fields.ts";

const INVISIBLE = [..." \u3000\u3164\ufffc\u2800\u0301\ufe0f\u{e0041}", ""];
const TYPED_VALUES: Partial<Record<FieldName, string[]>> = {
  name: ["김", "ㅋ", "J.", "...", "🚗", "가".repeat(51), "\ufffc김\u2800"],
  phone: ["010-1234-5678", "\ufffc010\u28001234\u30645678", "0️⃣1️⃣0️⃣12345678", "010-1234-567"],
  age: [
    "17",
    "18",
    "80",
    "81",
    "100",
    "101",
    "３４",
    "34 세",
    "만 34세",
    "만34",
    "34.0",
    "18.5",
    "\u280034",
    "2e1",
  ],
  region: regions.map(({ name }) => `\u200b${name}`),
  preferredDate: ["2027-03-06", "12027-03-06", "202703-03-06", "2027-02-29", "2027-3-6"],
  message: ["가".repeat(1_000), "가".repeat(1_001), "👍"],
};

it.each(FORM_NAMES)("the %s form and the server judge every value alike [90]", (form) => {
  for (const field of FIELD_NAMES) {
    for (const typed of [
      ...INVISIBLE,
      ...(TYPED_VALUES[field] ?? []),
      String(VALID_FIELDS[field]),
    ]) {
      const { value, problem } = checkField(form, field, typed);
      const parsed = parseApplication(form, { ...VALID_FIELDS, [field]: typed });
      if (problem === undefined) expect(parsed).toMatchObject({ application: { [field]: value } });
      else expect(parsed).toEqual({ ok: false, errors: { [field]: [problem] } });
    }
  }
});

it("a value of invisible characters counts as empty", () => {
  for (const field of FIELD_NAMES) {
    const isOptional = OPTIONAL_FIELDS.includes(field);
    for (const typed of INVISIBLE) {
      const { value, problem } = checkField("contact", field, typed);
      expect(value).toBe(isOptional ? "" : undefined);
      expect(problem).toBe(checkField("contact", field, undefined).problem);
    }
  }
});

it.each(["34", "３４", "34세", "34 살", "만 34세", "만34", "34.0"])(
  "the age '%s' is 34",
  (typed) => {
    expect(checkField("dialog", "age", typed)).toEqual({ value: 34 });
  },
);

it.each(["34.5", "삼십", "만", "34세 여성", "-34", "0034"])("'%s' is no age", (typed) => {
  expect(checkField("dialog", "age", typed)).toHaveProperty("problem");
});

it.each([
  ["name", "", "이름을 적어 주세요."],
  ["name", "...", "이름을 적어 주세요."],
  ["name", "가".repeat(51), "이름을 50자 이내로 적어 주세요."],
  ["phone", "", "전화번호를 적어 주세요."],
  ["gender", "", "성별을 골라 주세요."],
  ["age", "81", "18세부터 80세까지 신청하실 수 있습니다. 나이를 숫자로 적어 주세요."],
  ["region", "없는곳", "연수 지역을 골라 주세요."],
  ["preferredDate", "", "희망 날짜를 골라 주세요."],
  ["preferredDate", "12027-03-06", "희망 날짜를 다시 골라 주세요."],
  ["preferredDate", "0027-03-06", "희망 날짜를 다시 골라 주세요."],
  ["message", "가".repeat(1_001), "남기실 말씀은 1,000자까지 적으실 수 있습니다."],
] as const)("the $0 '$1' is refused with: $2", (field, typed, problem) => {
  expect(checkField("dialog", field, typed)).toEqual({ problem });
});
