import fc from "fast-check";
import { expect, it } from "vitest";
import {
  APPLICATION_ID_ALPHABET,
  formatApplicationId,
  parseApplicationId,
  temporaryNumber,
} from "#lib/application/application-id.ts";

it("an application number is recognised in the usual ways of typing it", () => {
  const id = fc.stringMatching(new RegExp(`^[${APPLICATION_ID_ALPHABET}]{8}$`));
  fc.assert(
    fc.property(id, (applicationId) => {
      const shown = formatApplicationId(applicationId);
      expect(shown).toMatch(/^.{4}-.{4}$/);
      const between = [" ", "–", "\u2060-"].map((sign) => shown.replace("-", sign));
      const wide = shown.replace(/./g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
      for (const typed of [shown, shown.toLowerCase(), `[${shown}]`, wide, ...between]) {
        expect(parseApplicationId(typed)).toBe(applicationId);
      }
    }),
  );
  for (const other of ["0000-0000", temporaryNumber(1)])
    expect(parseApplicationId(other)).toBeUndefined();
  expect(temporaryNumber(1_796_085_000_000)).toBe("OFFLINE-1796085000000");
});
