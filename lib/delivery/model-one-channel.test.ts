/** Half of the random histories, so that the two halves run in parallel. */
import { expect, it } from "vitest";
import { settingsWithAtMostOneChannel } from "#testing/delivery/actions.ts";
import { HISTORIES_TIMEOUT_MS, HISTORY_COUNT, runHistories } from "#testing/delivery/model.ts";

it("no application is lost with one channel or without any [10]", {
  timeout: HISTORIES_TIMEOUT_MS,
}, async () => {
  expect(await runHistories(settingsWithAtMostOneChannel)).toBe(HISTORY_COUNT);
});
