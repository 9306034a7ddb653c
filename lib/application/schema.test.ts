import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  AGE_MAX_YEARS,
  AGE_MIN_YEARS,
  FIELD_NAMES,
  FIELDS,
  FORM_NAMES,
  OPTIONAL_FIELDS,
} from "#lib/application/fields.ts";
import { parseApplication } from "#lib/application/schema.ts";
import { formRegions } from "#lib/content/regions.ts";
import { anyText } from "#testing/any-text.ts";
import { NOTHING_OPTIONAL } from "#testing/fixtures/nothing-optional.ts";

const VALID = {
  ...NOTHING_OPTIONAL,
  name: "김여주",
  phone: "010-1234-5678",
  gender: "여성",
  age: 34,
  region: "여주",
  preferredDate: "2026-12-05",
  dayType: "weekend",
  timeSlot: "morning",
  carType: "own",
  message: "주차가\r\n어렵습니다",
};

const accepts = (change: object, form: "dialog" | "contact" = "contact") => {
  const parsed = parseApplication(form, { ...VALID, ...change });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.application;
};
const refuses = (change: object, form: "dialog" | "contact" = "contact") => {
  const parsed = parseApplication(form, { ...VALID, ...change });
  return parsed.ok ? [] : Object.keys(parsed.errors);
};

describe("parseApplication", () => {
  it("stores options as codes, the phone as E.164 and line breaks as \\n", () => {
    expect(accepts({})).toEqual({
      ...VALID,
      phone: "+821012345678",
      gender: "female",
      message: "주차가\n어렵습니다",
    });
  });

  it("names an option by code or by label", () => {
    for (const { code, label } of FIELDS.gender.options) {
      expect(accepts({ gender: code }).gender).toBe(code);
      expect(accepts({ gender: label }).gender).toBe(code);
    }
  });

  it.each(FIELD_NAMES.filter((field) => !OPTIONAL_FIELDS.includes(field)))("needs %s", (field) => {
    expect(refuses({ [field]: undefined })).toEqual([field]);
    expect(refuses({ [field]: "" })).toEqual([field]);
    expect(refuses({ [field]: null })).toEqual([field]);
    expect(refuses({ [field]: ["x"] })).toEqual([field]);
    expect(refuses({ [field]: {} })).toEqual([field]);
  });

  it("needs no message", () => {
    expect(accepts({ message: undefined }).message).toBe("");
    expect(accepts({ message: null }).message).toBe("");
  });

  it.each(FORM_NAMES)("takes the ages of the %s form and no other", (form) => {
    const max = AGE_MAX_YEARS[form];
    fc.assert(
      fc.property(fc.integer({ min: -1_000, max: 1_000 }), (age) => {
        const taken = refuses({ age }, form).length === 0;
        expect(taken).toBe(age >= AGE_MIN_YEARS && age <= max);
        expect(refuses({ age: String(age) }, form).length === 0).toBe(taken);
      }),
    );
  });

  it("keeps the seed's age limits", () => {
    expect(AGE_MIN_YEARS).toBe(18);
    expect(AGE_MAX_YEARS).toEqual({ dialog: 80, contact: 100 });
  });

  it("takes no age that is not a whole number", () => {
    for (const age of [18.5, Number.NaN, "18.5", "1e2", "0x20", " ", true, "9".repeat(1_000_000)]) {
      expect(refuses({ age })).toEqual(["age"]);
    }
  });

  it("counts the name by characters that a person sees as one code point", () => {
    expect(accepts({ name: "🚗".repeat(FIELDS.name.maxCharacters) }).name).toHaveLength(
      2 * FIELDS.name.maxCharacters,
    );
    expect(refuses({ name: "가".repeat(FIELDS.name.maxCharacters + 1) })).toEqual(["name"]);
    expect(refuses({ name: "\u200b\u202e " })).toEqual(["name"]);
  });

  it("takes a message up to its limit", () => {
    expect(accepts({ message: "가".repeat(FIELDS.message.maxCharacters) }).message).toHaveLength(
      FIELDS.message.maxCharacters,
    );
    expect(refuses({ message: "가".repeat(FIELDS.message.maxCharacters + 1) })).toEqual([
      "message",
    ]);
  });

  it("takes the regions of the form, and 충주 only by phone or text", () => {
    for (const region of formRegions) expect(accepts({ region }).region).toBe(region);
    expect(refuses({ region: "충주" })).toEqual(["region"]);
  });

  it("takes real calendar dates, past ones too", () => {
    expect(accepts({ preferredDate: "2020-02-29" }).preferredDate).toBe("2020-02-29");
    for (const preferredDate of [
      "2026-02-30",
      "2026-13-01",
      "26-01-01",
      "2026-1-1",
      "오늘",
      20261205,
    ]) {
      expect(refuses({ preferredDate })).toEqual(["preferredDate"]);
    }
  });

  it("never throws and never echoes the input, whatever is sent", () => {
    const canary = "CANARY-4711";
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...FIELD_NAMES), (value, field) => {
        const whole = parseApplication("contact", value);
        expect(whole.ok).toBe(false);
        const one = parseApplication("dialog", { ...VALID, [field]: value });
        expect(typeof one.ok).toBe("boolean");
        const echo = parseApplication("dialog", {
          ...VALID,
          phone: canary,
          gender: canary,
          age: canary,
        });
        expect(JSON.stringify(echo)).not.toContain(canary);
      }),
    );
  });

  it("is stable: what it gives out, it takes in again unchanged", () => {
    fc.assert(
      fc.property(
        fc.record({
          name: anyText({ maxLength: 60 }),
          message: anyText({ maxLength: 1_100 }),
        }),
        (change) => {
          const first = parseApplication("contact", { ...VALID, ...change });
          if (!first.ok) return;
          expect(parseApplication("contact", first.application)).toEqual(first);
          expect(first.application.name).not.toMatch(/[\p{Cc}\u200b\u202e\u2066]/u);
          expect(first.application.name.isWellFormed()).toBe(true);
          expect(first.application.message).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
        },
      ),
    );
  });
});
