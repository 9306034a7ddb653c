/** Half of the random histories, so that the two halves run in parallel. See testing/delivery/model.ts. */
import { expect, it } from "vitest";
import { atMostOneChannel } from "#testing/delivery/actions.ts";
import { HISTORIES, LONGEST_MS, tryHistories } from "#testing/delivery/model.ts";

it("every application reaches an owner who has at most one channel", {
  timeout: LONGEST_MS,
}, async () => {
  expect(await tryHistories(atMostOneChannel)).toBe(HISTORIES);
});
