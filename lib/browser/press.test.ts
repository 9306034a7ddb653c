import { describe, expect, it } from "vitest";
import type { FormValues } from "#lib/browser/form-values.ts";
import { keyFor } from "#lib/browser/press.ts";

const values: FormValues = {
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
const attempt = { idempotencyKey: "first", values, refused: false, kept: true };

describe("keyFor", () => {
  it("makes a new key for a first press", () => {
    expect(keyFor(values, undefined)).not.toBe(keyFor(values, undefined));
  });

  it("keeps the key while nothing was changed, so that a lost answer is found again", () => {
    expect(keyFor({ ...values }, attempt)).toBe("first");
  });

  it("makes a new key once something was changed", () => {
    expect(keyFor({ ...values, message: "주차" }, attempt)).not.toBe("first");
  });

  it("makes a new key after a refusal: the server may know the old one with other content", () => {
    expect(keyFor(values, { ...attempt, refused: true })).not.toBe("first");
  });
});
