import { expect, test } from "vitest";
import { APPLICATION_ID_ALPHABET, isApplicationId } from "#lib/application/application-id.ts";
import { newApplicationId } from "#lib/storage/queries/new-application-id.ts";

const ids = Array.from({ length: 10_000 }, newApplicationId);

test("a new number has 8 characters and no look-alike", () => {
  expect(ids.filter((id) => !/^[^0O1ILU]{8}$/.test(id) || !isApplicationId(id))).toEqual([]);
});

test("each character is as likely at each place", () => {
  const expected = ids.length / APPLICATION_ID_ALPHABET.length;
  for (let place = 0; place < 8; place++) {
    for (const character of APPLICATION_ID_ALPHABET) {
      const found = ids.filter((id) => id[place] === character).length;
      // A fair source is this far off less than once in 10^12 times.
      expect(Math.abs(found - expected)).toBeLessThan(8 * Math.sqrt(expected));
    }
  }
});
