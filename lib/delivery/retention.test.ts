import { expect, test, vi } from "vitest";
import { HourlyRetention } from "#lib/delivery/retention.ts";
import { log } from "#lib/log.ts";
import type { Note, NoteName } from "#lib/storage/queries/notes.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse("2026-12-01T09:30:00+09:00");

/** A host with its two clocks, what is noted on it, and processes that watch one after the other. */
function host() {
  let wall = START;
  let monotonic = 0;
  const notes = new Map<NoteName, Note>();
  const store = {
    findNote: async (name: NoteName) => notes.get(name),
    writeNote: vi.fn(async (name: NoteName, note: Note) => void notes.set(name, note)),
    deleteDeliveredBefore: vi.fn(async () => []),
    deleteKeysBefore: async () => undefined,
    existing: async () => [],
  };
  const retention = { days: 90, folder: "/nowhere", backups: "/nowhere" };
  let watch: HourlyRetention;
  const start = () => {
    watch = new HourlyRetention({ store, retention, now: () => wall, monotonic: () => monotonic });
  };
  start();
  return {
    store,
    retention,
    notes,
    start,
    set: (ms: number) => {
      wall += ms;
    },
    /** Time passes while no process runs. */
    rest: (ms: number) => {
      wall += ms;
    },
    /** Turns of the worker until the time has passed; returns whether one has deleted what is too old. */
    async run(ms: number) {
      store.deleteDeliveredBefore.mockClear();
      await watch.deleteWhenDue();
      for (let passed = 0; passed < ms; passed += 30 * MINUTE) {
        wall += 30 * MINUTE;
        monotonic += 30 * MINUTE;
        await watch.deleteWhenDue();
      }
      return store.deleteDeliveredBefore.mock.calls.length > 0;
    },
  };
}

test("a clock is proven after a day", async () => {
  const { run } = host();
  expect([await run(23 * HOUR), await run(HOUR)]).toEqual([false, true]);
});

test("it is noted once an hour, not at every turn", async () => {
  const { run, store } = host();
  await run(10 * HOUR);
  expect(store.writeNote).toHaveBeenCalledTimes(11);
});

test("a restart goes on with the day; an absence of over two hours begins it anew", async () => {
  const site = host();
  await site.run(20 * HOUR);
  site.rest(HOUR);
  site.start();
  expect(await site.run(4 * HOUR)).toBe(true);
  site.rest(3 * HOUR);
  site.start();
  expect(await site.run(0)).toBe(false);
  expect(await site.run(24 * HOUR)).toBe(true);
});

test.each([365 * DAY, 3 * HOUR, -3 * HOUR, -365 * DAY])(
  "a jump of %d ms is told, and begins the day anew, also for the next process",
  async (jump) => {
    const warn = vi.spyOn(log, "warn");
    const site = host();
    await site.run(25 * HOUR);
    site.set(jump);
    expect(await site.run(0)).toBe(false);
    expect(warn.mock.calls).toEqual([
      [{ minutes: jump / MINUTE }, expect.stringContaining("nothing is deleted for a day")],
    ]);
    expect(site.notes.get("clock-jump")).toMatchObject({ value: `${jump}` });
    expect(await site.run(12 * HOUR)).toBe(false);
    site.start();
    expect(await site.run(11.5 * HOUR)).toBe(false);
    expect(await site.run(HOUR)).toBe(true);
  },
);

test("what a time server corrects is no jump", async () => {
  const site = host();
  await site.run(12 * HOUR);
  site.set(-10 * MINUTE);
  await site.run(6 * HOUR);
  site.set(20 * MINUTE);
  expect(await site.run(6 * HOUR)).toBe(true);
});

test("a clock that was set while no process watched begins the day anew", async () => {
  const site = host();
  await site.run(25 * HOUR);
  site.set(-365 * DAY);
  site.start();
  expect(await site.run(23 * HOUR)).toBe(false);
});

test("two servers whose clocks lie far apart delete nothing", async () => {
  const site = host();
  await site.run(25 * HOUR);
  site.store.deleteDeliveredBefore.mockClear();
  const clocks = { now: () => START + 400 * DAY, monotonic: () => 0 };
  await new HourlyRetention({ ...site, ...clocks }).deleteWhenDue();
  expect(site.store.deleteDeliveredBefore).not.toHaveBeenCalled();
});
