import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  APPLICATION_ID_ALPHABET,
  formatApplicationId,
  isApplicationId,
  newApplicationId,
  parseApplicationId,
} from "#lib/application/number.ts";

describe("the application number", () => {
  it("has 8 characters and no look-alike", () => {
    for (let count = 0; count < 2_000; count += 1) {
      const id = newApplicationId();
      expect(id).toMatch(/^[^0O1ILU]{8}$/);
      expect(isApplicationId(id)).toBe(true);
    }
  });

  it("uses each character equally often", () => {
    const counts = new Map<string, number>();
    let byte = 0;
    // Every byte value in turn: a biased mapping would favour some characters.
    const everyByte = (bytes: Uint8Array) => {
      for (let index = 0; index < bytes.length; index += 1) bytes[index] = byte++ % 256;
      return bytes;
    };
    for (let count = 0; count < 3_000; count += 1) {
      for (const character of newApplicationId(everyByte))
        counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(APPLICATION_ID_ALPHABET.length);
    const values = [...counts.values()];
    expect(Math.max(...values) / Math.min(...values)).toBeLessThan(1.15);
  });

  it("is read back however a person types it", () => {
    const id = fc.stringMatching(new RegExp(`^[${APPLICATION_ID_ALPHABET}]{8}$`));
    fc.assert(
      fc.property(id, (applicationId) => {
        const shown = formatApplicationId(applicationId);
        expect(shown).toMatch(/^.{4}-.{4}$/);
        for (const typed of [shown, applicationId, shown.toLowerCase(), shown.replace("-", " ")]) {
          expect(parseApplicationId(typed)).toBe(applicationId);
        }
      }),
    );
    expect(parseApplicationId("0000-0000")).toBeUndefined();
  });
});
