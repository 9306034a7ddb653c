import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { log } from "#lib/log.ts";
import {
  apply,
  DAY,
  DEFAULT_CAPS,
  deliver,
  expectCounts,
  folder,
  HOUR,
  home,
  MINUTE,
  pass,
  passInSteps,
  SECOND,
  setClock,
  settle,
  sms,
  start,
  twilio,
} from "#testing/engine-with-peers.ts";
import { aNewApplication, TEST_NOW } from "#testing/temporary-store.ts";

/** A message file as old as the application. */
function ageFile(): string {
  const [message = ""] = readdirSync(folder());
  utimesSync(join(folder(), message), TEST_NOW / 1_000, TEST_NOW / 1_000);
  return message;
}

describe("what is kept longer than allowed", () => {
  test("is deleted with its message file and its key, by number in the log", async () => {
    const info = vi.spyOn(log, "info");
    const stored = await deliver({ idempotencyKey: "k" });
    ageFile();
    await start();
    await settle();
    await pass(5 * SECOND);
    await expectCounts({ done: 1 });
    await passInSteps(89 * DAY, DAY);
    await expectCounts({ done: 1 });
    expect(readdirSync(folder())).toHaveLength(1);
    await passInSteps(2 * DAY, DAY);
    await expectCounts({ done: 0 });
    expect(readdirSync(folder())).toEqual([]);
    const applicationIds = [stored.outcome === "stored" && stored.applicationId];
    const logged = info.mock.calls.map(([fields]) => fields);
    expect(logged).toContainEqual({ applicationIds, files: 1, days: 90 });
    expect((await apply({ idempotencyKey: "k" })).outcome).toBe("stored");
  });

  test("stays with its file when it was only filed: nobody has it yet", async () => {
    await deliver();
    const message = ageFile();
    await passInSteps(365 * DAY, 5 * DAY);
    await expectCounts({ filed: 1 });
    expect(readdirSync(folder())).toEqual([message]);
  });

  test.each([365 * DAY, -365 * DAY])(
    "stays when only the clock says so: a jump of %d ms deletes and doubles nothing (row 52)",
    async (jump) => {
      let clock = TEST_NOW;
      const monotonic = () => clock;
      const runs = async (ms: number) => {
        clock += ms;
        await pass(ms);
      };
      await start({ sms: sms() }, DEFAULT_CAPS, { monotonic });
      await deliver({ idempotencyKey: "done" });
      await runs(5 * SECOND);
      await expectCounts({ done: 1 });
      twilio.always({ status: 429 });
      await deliver({ idempotencyKey: "waiting" });
      setClock(TEST_NOW + jump);
      for (const hours of [1, 22]) await runs(hours * HOUR);
      await expectCounts({ done: 1, waiting: 1, givenUp: 0 });
      for (const idempotencyKey of ["done", "waiting"]) {
        const again = await home.store.accept(aNewApplication({ idempotencyKey }));
        expect(again.outcome).toBe("replayed");
      }
      twilio.always(undefined);
      await runs(31 * MINUTE);
      await runs(MINUTE);
      await expectCounts({ done: 2, waiting: 0 });
      expect(twilio.messages).toHaveLength(2);
    },
  );
});
