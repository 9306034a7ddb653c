import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { AttemptJournal } from "#lib/delivery/attempt-journal.ts";
import { InFlight, PLACES } from "#lib/delivery/in-flight.ts";
import { log } from "#lib/log.ts";
import { aNewApplication, TEST_NOW, temporaryStore } from "#testing/temporary-store.ts";

test("an attempt that throws ends in the log, gives its place back and leaves its lease to run out", async () => {
  await using temporary = temporaryStore();
  const { store, folder } = temporary;
  const error = vi.spyOn(log, "error").mockImplementation(() => undefined);
  const inFlight = new InFlight(store, new AttemptJournal(join(folder, "journal")), () => TEST_NOW);
  await store.accept(aNewApplication());
  const leases = await store.leaseDue({ now: TEST_NOW, leaseMs: 1_000, limit: 1 });
  const ended = Promise.withResolvers<void>();
  const broken = new Error("nobody foresaw this");
  inFlight.begin(leases, "sms", () => Promise.reject(broken), ended.resolve);
  expect(inFlight.freePlaces("sms")).toBe(PLACES.sms - 1);
  await ended.promise;
  expect(inFlight.freePlaces("sms")).toBe(PLACES.sms);
  expect(error).toHaveBeenCalledWith({ err: broken }, expect.stringContaining("without a result"));
  expect(await store.counts()).toMatchObject({ leased: 1 });
});
