import fc from "fast-check";
import { expect, it } from "vitest";
import {
  AGE_MAX_YEARS_BY_FORM,
  AGE_MIN_YEARS,
  FIELD_NAMES,
  FIELDS,
  FORM_NAMES,
  OPTIONAL_FIELDS,
} from "#lib/application/fields.ts";
import { parseApplication } from "#lib/application/rules.ts";
import { formRegionNames, regions } from "#lib/content/regions.ts";
import { filledIn } from "#testing/fixtures/browser-application.ts";
import { anyText } from "#testing/hostile/any-text.ts";
import { HOSTILE_MESSAGES, HOSTILE_VALUES } from "#testing/hostile/values.ts";

const VALID_VALUES = { ...filledIn, age: 34, message: "주차가\r\n어렵습니다" };

const accepts = (change: object, form: "dialog" | "contact" = "contact") => {
  const parsed = parseApplication(form, { ...VALID_VALUES, ...change });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.application;
};
const refuses = (change: object, form: "dialog" | "contact" = "contact") => {
  const parsed = parseApplication(form, { ...VALID_VALUES, ...change });
  return parsed.ok ? [] : Object.keys(parsed.errors);
};

const { name, message } = FIELDS;

it("parseApplication returns options as codes and the phone number as E.164", () => {
  const stored = { phone: "+821023456789", gender: "female", message: "주차가\n어렵습니다" };
  expect(accepts({})).toEqual({ ...VALID_VALUES, ...stored });
});

it.each<[field: string, value: unknown, stored: unknown]>([
  ["gender", "남성", "male"],
  ["gender", "female", "female"],
  ["age", "３４", 34],
  ["age", "34 세", 34],
  ...formRegionNames.map((region): [string, unknown, unknown] => ["region", region, region]),
  ["message", undefined, ""],
  ["message", null, ""],
  ["message", "가".repeat(message.maxCharacters), "가".repeat(message.maxCharacters)],
  // Lengths count code points, so this emoji is one character.
  ["name", `${"🚗".repeat(name.maxCharacters - 1)}김`, `${"🚗".repeat(name.maxCharacters - 1)}김`],
  ["preferredDate", "2020-02-29", "2020-02-29"],
  ["preferredDate", "2026-01-31", "2026-01-31"],
])("the server accepts the $0 $1", (field, value, stored) => {
  expect(accepts({ [field]: value })).toMatchObject({ [field]: stored });
});

it("the server keeps the letters and digits of every hostile text [32]", () => {
  const lettersAndDigits = (text: string) => {
    const shown = text.toWellFormed().normalize("NFC");
    return shown.replace(/\p{Default_Ignorable_Code_Point}/gu, "").match(/[\p{L}\p{N}]/gu);
  };
  const names = Object.values(HOSTILE_VALUES).flat();
  for (const message of [...names, ...HOSTILE_MESSAGES]) {
    const read = lettersAndDigits(message);
    expect(lettersAndDigits(accepts({ message }).message)).toEqual(read);
    // The server rejects a name without letters and digits.
    if (!read || !names.includes(message)) continue;
    expect(lettersAndDigits(accepts({ name: message }).name)).toEqual(read);
  }
});

const dates = ["2026-01", "26-01-01", "2026-1-1", "오늘", 20261205];
const days = ["2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00"];
const ages = [[32], 18.5, Number.NaN, "18.5", "1e2", "0x20", " ", true, "9".repeat(1_000_000)];
const required = FIELD_NAMES.filter((field) => !OPTIONAL_FIELDS.includes(field));
it.each<[string, unknown[]]>([
  ...required.map((field): [string, unknown[]] => [field, [undefined, "", null, ["x"], {}, 5]]),
  ...FIELD_NAMES.map((field): [string, unknown[]] => [field, ["가".repeat(5_000)]]),
  ["age", ages],
  ["name", ["가".repeat(name.maxCharacters + 1), "\u200b\u202e "]],
  ["message", ["가".repeat(message.maxCharacters + 1), 5]],
  ["region", ["없는곳", ...regions.filter(({ isByPhone }) => isByPhone).map(({ name }) => name)]],
  ["preferredDate", [...dates, ...days]],
])("the server refuses each invalid value of %s (row %#)", (field, values) => {
  for (const value of values) expect(refuses({ [field]: value })).toEqual([field]);
});

it.each(FORM_NAMES)("the server accepts exactly the ages of the %s form", (form) => {
  const max = AGE_MAX_YEARS_BY_FORM[form];
  expect([AGE_MIN_YEARS, max]).toEqual([18, form === "dialog" ? 80 : 100]);
  for (let age = -1; age <= 101; age += 1)
    for (const typed of [age, String(age)])
      expect(refuses({ age: typed }, form).length === 0).toBe(age >= AGE_MIN_YEARS && age <= max);
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

it("parseApplication changes nothing in an application that it returned before", () => {
  const texts = { name: anyText({ maxLength: 60 }), message: anyText({ maxLength: 1_100 }) };
  fc.assert(
    fc.property(fc.record(texts), (change) => {
      const first = parseApplication("contact", { ...VALID_VALUES, ...change });
      if (!first.ok) return;
      expect(parseApplication("contact", first.application)).toEqual(first);
      expect(first.application.name).not.toMatch(/[\p{Cc}\u200b\u202e\u2066]/u);
      expect(first.application.name.isWellFormed()).toBe(true);
      expect(first.application.message).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    }),
  );
});
