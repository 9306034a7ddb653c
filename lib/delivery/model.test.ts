/** Half of the random histories, so that the two halves run in parallel. */
import { expect, it } from "vitest";
import { settingsWithAllChannels } from "#testing/delivery/actions.ts";
import { HISTORIES_TIMEOUT_MS, HISTORY_COUNT, runHistories } from "#testing/delivery/model.ts";

it("every application reaches an owner who has all channels [10]", {
  timeout: HISTORIES_TIMEOUT_MS,
}, async () => {
  expect(await runHistories(settingsWithAllChannels)).toBe(HISTORY_COUNT);
});
