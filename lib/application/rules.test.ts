import fc from "fast-check";
import { expect, it } from "vitest";
import {
  AGE_MAX_YEARS_BY_FORM,
  AGE_MIN_YEARS,
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  FORM_NAMES,
  type FormName,
  OPTIONAL_FIELDS,
} from "#lib/application/fields.ts";
import { phoneProblems } from "#lib/application/messages.ts";
import { checkField, parseApplication } from "#lib/application/rules.ts";
import { formRegionNames, regions } from "#lib/content/regions.ts";
import { filledInValues } from "#testing/fixtures/browser-application.ts";
import { HOSTILE_MESSAGES, HOSTILE_VALUES } from "#testing/hostile/values.ts";

const VALID_VALUES = { ...filledInValues, age: 34, message: "주차가\r\n어렵습니다" };
const STORED_VALUES = {
  ...VALID_VALUES,
  ...{ phone: "+821023456789", gender: "female", message: "주차가\n어렵습니다" },
};
const { name, message } = FIELDS;

/** What the form says about a value. Fails unless the server says the same. */
function judge(field: FieldName, value: unknown, form: FormName = "contact") {
  const checked = checkField(form, field, value);
  expect(parseApplication(form, { ...VALID_VALUES, [field]: value })).toEqual(
    checked.problem === undefined
      ? { ok: true, application: { ...STORED_VALUES, [field]: checked.value } }
      : { ok: false, errors: { [field]: [checked.problem] } },
  );
  return checked;
}

it("parseApplication returns options as codes and the phone number as E.164", () => {
  expect(parseApplication("contact", VALID_VALUES)).toEqual({
    ok: true,
    application: STORED_VALUES,
  });
});

type Accepted = [field: FieldName, value: unknown, stored: string | number];
const ages = ["34", "３４", "34세", "34 살", "만 34세", "만34", "34.0", "\u280034"];
it.each<Accepted>([
  ["gender", "남성", "male"],
  ["gender", "female", "female"],
  ...ages.map((age): Accepted => ["age", age, 34]),
  ...formRegionNames.map((region): Accepted => ["region", `\u200b${region}`, region]),
  ["message", undefined, ""],
  ["message", null, ""],
  ["message", "가".repeat(message.maxCharacters), "가".repeat(message.maxCharacters)],
  // Lengths count code points, so this emoji is one character.
  ["name", `${"🚗".repeat(name.maxCharacters - 1)}김`, `${"🚗".repeat(name.maxCharacters - 1)}김`],
  ["name", "\ufffcJ.\r\nKim\u2800", "J. Kim"],
  ["preferredDate", "2020-02-29", "2020-02-29"],
  ["preferredDate", "2026-01-31", "2026-01-31"],
])("form and server accept the $0 $1 [90]", (field, value, stored) => {
  expect(judge(field, value)).toEqual({ value: stored });
});

const noAges = [
  ...["34.5", "삼십", "만", "34세 여성", "-34", "0034", "1e2", "0x20", " ", "9".repeat(1_000_000)],
  ...[[32], 18.5, Number.NaN, true],
];
const dates = ["2026-01", "26-01-01", "2026-1-1", "오늘", 20261205];
const days = ["2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00"];
const required = FIELD_NAMES.filter((field) => !OPTIONAL_FIELDS.includes(field));
it.each<[FieldName, unknown[]]>([
  ...required.map((field): [FieldName, unknown[]] => [field, [undefined, "", null, ["x"], {}, 5]]),
  ...FIELD_NAMES.map((field): [FieldName, unknown[]] => [field, ["가".repeat(5_000)]]),
  ["age", noAges],
  ["name", ["가".repeat(name.maxCharacters + 1), "🚗", "\u200b\u202e "]],
  ["message", ["가".repeat(message.maxCharacters + 1), 5]],
  [
    "region",
    ["없는곳", ...regions.filter(({ isPhoneOnly }) => isPhoneOnly).map(({ name }) => name)],
  ],
  ["preferredDate", [...dates, ...days, "202703-03-06"]],
])("form and server refuse each invalid value of %s (row %#) [90]", (field, values) => {
  for (const value of values) expect(judge(field, value)).toHaveProperty("problem");
});

it.each([
  ["name", "", "이름을 적어 주세요."],
  ["name", "...", "이름을 적어 주세요."],
  ["name", "가".repeat(51), "이름을 50자 이내로 적어 주세요."],
  ["phone", "", "전화번호를 적어 주세요."],
  ["phone", "010-1234-567", phoneProblems.mobile],
  ["gender", "", "성별을 골라 주세요."],
  ["age", "81", "이 신청서는 18세부터 80세까지 쓰실 수 있습니다. 나이를 숫자로 적어 주세요."],
  ["region", "없는곳", "연수 지역을 골라 주세요."],
  ["preferredDate", "", "희망 날짜를 골라 주세요."],
  ["preferredDate", "12027-03-06", "희망 날짜를 다시 골라 주세요."],
  ["preferredDate", "0027-03-06", "희망 날짜를 다시 골라 주세요."],
  ["message", "가".repeat(1_001), "남기실 말씀은 1,000자까지 적으실 수 있습니다."],
] as const)("the $0 '$1' is refused with: $2", (field, typed, problem) => {
  expect(judge(field, typed, "dialog")).toEqual({ problem });
});

it.each(FORM_NAMES)("form and server accept exactly the ages of the %s form [90]", (form) => {
  const max = AGE_MAX_YEARS_BY_FORM[form];
  expect([AGE_MIN_YEARS, max]).toEqual([18, form === "dialog" ? 80 : 100]);
  for (let age = -1; age <= 101; age += 1)
    for (const typed of [age, String(age)])
      expect(judge("age", typed, form).value).toBe(
        age >= AGE_MIN_YEARS && age <= max ? age : undefined,
      );
});

it("a value of invisible characters counts as empty", () => {
  for (const field of FIELD_NAMES)
    for (const typed of [..." \u3000\u3164\ufffc\u2800\u0301\ufe0f\u{e0041}", ""])
      expect(judge(field, typed)).toEqual(judge(field, undefined));
});

it("form and server keep the letters and digits of every hostile text [32]", () => {
  const lettersAndDigits = (text = "") => {
    const shown = text.toWellFormed().normalize("NFC");
    return shown.replace(/\p{Default_Ignorable_Code_Point}/gu, "").match(/[\p{L}\p{N}]/gu);
  };
  const names = Object.values(HOSTILE_VALUES).flat();
  for (const text of [...names, ...HOSTILE_MESSAGES]) {
    const read = lettersAndDigits(text);
    expect(lettersAndDigits(judge("message", text).value?.toString())).toEqual(read);
    // A name without letters and digits is refused.
    if (!read || !names.includes(text)) continue;
    expect(lettersAndDigits(judge("name", text).value?.toString())).toEqual(read);
  }
});

it("no input makes parseApplication throw or repeat the input [28]", () => {
  const canary = "CANARY-4711";
  const wrong = { phone: canary, gender: canary, age: canary };
  const echo = JSON.stringify(parseApplication("dialog", { ...VALID_VALUES, ...wrong }));
  expect(echo).not.toContain(canary);
  fc.assert(
    fc.property(fc.anything(), fc.constantFrom(...FIELD_NAMES), (value, field) => {
      expect(parseApplication("contact", value).ok).toBe(false);
      const one = parseApplication("dialog", { ...VALID_VALUES, [field]: value });
      expect(typeof one.ok).toBe("boolean");
    }),
  );
});
