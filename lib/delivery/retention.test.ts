import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { HOUR, MINUTE } from "#lib/application/durations.ts";
import { createHourlyDeletion } from "#lib/delivery/retention.ts";
import { log } from "#lib/log.ts";
import { StorageUnavailable } from "#lib/storage/errors.ts";
import type { Note, NoteName } from "#lib/storage/queries/notes.ts";
import { makeTemporaryFolder } from "#testing/storage/temporary-folder.ts";

/** A host with two clocks and a store, and processes that run one after the other. */
function host(dataDir = "/nowhere") {
  let wall = Date.parse("2026-12-01T09:30:00+09:00");
  let monotonic = 0;
  const notes = new Map<NoteName, Note>();
  const store = {
    readNote: async (name: NoteName) => notes.get(name),
    writeNote: vi.fn(async (name: NoteName, note: Note) => void notes.set(name, note)),
    deleteExpired: vi.fn(async () => []),
    listApplicationIds: async () => [],
  };
  const retention = { retentionDays: 90, dataDir };
  let deleteWhenDue: () => Promise<void>;
  const start = () => {
    const clocks = { now: () => wall, monotonicNow: () => monotonic };
    deleteWhenDue = createHourlyDeletion({ store, retention, ...clocks });
  };
  start();
  return {
    store,
    notes,
    start,
    /** Changes the wall clock: somebody sets it, or time passes while no process runs. */
    moveClock: (ms: number) => {
      wall += ms;
    },
    /** Lets this time pass, and calls the deletion every 30 minutes. Returns whether the store was told to delete. */
    async run(ms: number) {
      store.deleteExpired.mockClear();
      await deleteWhenDue();
      for (let passed = 0; passed < ms; passed += 30 * MINUTE) {
        wall += 30 * MINUTE;
        monotonic += 30 * MINUTE;
        await deleteWhenDue();
      }
      return store.deleteExpired.mock.calls.length > 0;
    },
  };
}

test("the start of steady time is stored only once an hour", async () => {
  const { run, store } = host();
  await run(10 * HOUR);
  expect(store.writeNote).toHaveBeenCalledTimes(11);
});

test("deletion begins after a day of steady time on a host that is off at night", async () => {
  const site = host();
  expect(await site.run(6 * HOUR)).toBe(false);
  site.moveClock(12 * HOUR);
  site.start();
  expect([await site.run(5 * HOUR), await site.run(HOUR)]).toEqual([false, true]);
});

const PAUSES = [25, 400 * 24, -365 * 24];
test.each(PAUSES)(
  "a wall clock that moves by %d h between processes delays deletion by a day",
  async (hours) => {
    const site = host();
    await site.run(25 * HOUR);
    site.moveClock(hours * HOUR);
    site.start();
    expect([await site.run(23 * HOUR), await site.run(HOUR)]).toEqual([false, true]);
  },
);

const JUMPS = [365 * 24, 3, -1.25, -365 * 24];
test.each(JUMPS)("a clock jump of %d h delays deletion by a day [52]", async (hours) => {
  const warn = vi.spyOn(log, "warn");
  const site = host();
  await site.run(25.5 * HOUR);
  site.moveClock(hours * HOUR);
  await site.run(0);
  // The next process reads the note of the jump.
  site.start();
  expect(await site.run(12 * HOUR)).toBe(false);
  expect(warn.mock.calls).toEqual([
    [{ minutes: hours * 60 }, expect.stringContaining("nothing is deleted for a day")],
  ]);
  expect(site.notes.get("clock-jump")).toMatchObject({ value: `${hours * HOUR}` });
  site.start();
  expect([await site.run(11.5 * HOUR), await site.run(HOUR)]).toEqual([false, true]);
});

test("a clock jump delays deletion by a day even if its note was not stored", async () => {
  const site = host();
  await site.run(25 * HOUR);
  site.moveClock(3 * HOUR);
  const locked = new StorageUnavailable("locked", "locked");
  site.store.writeNote.mockRejectedValueOnce(locked);
  await expect(site.run(0)).rejects.toBe(locked);
  expect([await site.run(23 * HOUR), await site.run(HOUR)]).toEqual([false, true]);
});

test("a time server's small corrections delay no deletion", async () => {
  const site = host();
  await site.run(12 * HOUR);
  site.moveClock(-10 * MINUTE);
  await site.run(6 * HOUR);
  site.moveClock(20 * MINUTE);
  expect(await site.run(7 * HOUR)).toBe(true);
});

test("a deletion that failed on a locked database is repeated at the next pass", async () => {
  const site = host();
  await site.run(25 * HOUR);
  site.moveClock(HOUR);
  const locked = new StorageUnavailable("locked", "locked");
  site.store.deleteExpired.mockRejectedValueOnce(locked);
  await expect(site.run(0)).rejects.toBe(locked);
  expect(await site.run(0)).toBe(true);
});

test("the log names the old backups that are deleted and those that cannot be", async () => {
  const folder = makeTemporaryFolder();
  const [old, stuck] = ["applications-2026-11-01_033000.db", "before-update-2026-11-01_033000.db"];
  // No program, not even of root, can delete a folder as a file.
  mkdirSync(join(folder, "backups", stuck), { recursive: true });
  writeFileSync(join(folder, "backups", old), "");
  const logged = [vi.spyOn(log, "info"), vi.spyOn(log, "warn")];
  await host(folder).run(25 * HOUR);
  expect(logged.map(({ mock }) => mock.calls[0]?.[0])).toEqual([
    { backups: [old] },
    { backups: [stuck] },
  ]);
});
