/** One line a day in the log, from which somebody sees that all is as it should be, or not. */
import { seoulDate } from "#lib/application/seoul-time.ts";
import { systemClock } from "#lib/clock.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { DeliveryStore } from "#lib/storage/store.ts";

const CHECK_EVERY_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

/**
 * Logs what became of the day before in Seoul: after each start, so that a day that ended while the site
 * was down is told too, and after each midnight.
 */
export function summariseDaily(
  store: Pick<DeliveryStore, "dailyCounts">,
  { now = systemClock, write = (line: object) => log.info(line, "the day before") } = {},
): { check(): Promise<void>; close(): Promise<void> } {
  let told: string | undefined;

  async function check(): Promise<void> {
    const today = seoulDate(now());
    if (told === today) return;
    const to = Date.parse(`${today}T00:00:00+09:00`);
    try {
      const tally = await store.dailyCounts({ from: to - DAY_MS, to });
      told = today;
      write({ day: seoulDate(to - DAY_MS), ...tally });
    } catch (err) {
      // The store has logged why it is out; the line comes once it is back.
      if (!(err instanceof StorageUnavailable))
        log.error({ err }, "the day could not be summed up");
    }
  }

  const timer = setInterval(check, CHECK_EVERY_MS);
  timer.unref();
  void check();
  return { check, close: async () => clearInterval(timer) };
}
