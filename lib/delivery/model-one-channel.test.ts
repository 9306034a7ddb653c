/** Half of the random histories; the other half runs in parallel. See testing/delivery/model.ts. */
import { expect, it } from "vitest";
import { oneChannel } from "#testing/delivery/actions.ts";
import { HISTORIES, LONGEST_MS, tryHistories } from "#testing/delivery/model.ts";

it("every application reaches an owner with one channel, or is written to a file", {
  timeout: LONGEST_MS,
}, async () => {
  expect(await tryHistories(oneChannel)).toBe(HISTORIES);
});
