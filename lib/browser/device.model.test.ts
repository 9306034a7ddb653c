/**
 * Random histories of one device: two tabs, a service worker, a server that loses answers, storage that fails and a
 * clock that jumps. The forms and the records are the product's; the store, the network and the server are a model.
 */
import fc from "fast-check";
import { afterEach, beforeEach, it, vi } from "vitest";
import type { Kept, Waiting } from "#lib/browser/record.ts";
import { DAY_MS, Device, Page } from "#testing/device/model.ts";
import { filledIn } from "#testing/fixtures/browser-application.ts";

const RUNS = 10_000;
const START = Date.UTC(2026, 11, 1);

/** The device that the mocks below act on. */
let device: Device;

vi.mock("#lib/browser/names.ts", () => ({
  newKey: () => crypto.randomUUID(),
  thisTab: () => device.page.tab,
}));
vi.mock("#lib/browser/store.ts", () => ({
  find: (id: string) => device.page.known.get(id),
  records: () => [...device.page.known.values()].filter(({ state }) => state !== "draft"),
  begunIn: () => undefined,
  write: (id: string, record?: Kept) => (record ? device.put(record) : device.remove(id)),
  showHere: () => undefined,
}));
vi.mock("#lib/browser/holds.ts", () => ({
  hold: (id: string) => {
    const { held } = device.page;
    held.add(id);
    return () => held.delete(id);
  },
}));
vi.mock("#lib/browser/sender.ts", () => ({
  schedule: () => undefined,
  press: (record: Waiting) => device.press(record),
}));

function at(which: number): Page {
  device.page = device.pages[which] ?? device.page;
  return device.page;
}

function replace(which: number, tab: string): void {
  device.page.isLeft = true;
  device.page = new Page(device, tab);
  device.pages[which] = device.page;
}

/** Events, each at one of the two tabs. */
const EVENTS = {
  typeValid: (which: number) => {
    const each = at(which);
    if (!each.isOpen || isBusy(each)) return;
    each.values = device.newValues();
    each.form.typed(each.values, true);
  },
  typeHalf: (which: number) => {
    const each = at(which);
    if (!each.isOpen || isBusy(each)) return;
    each.values = { ...filledIn, phone: "010-" };
    each.form.typed(each.values, false);
  },
  press: (which: number) => {
    const each = at(which);
    if (!each.isOpen || isBusy(each) || !each.isValid) return;
    void each.form.press(each.values);
  },
  close: (which: number) => at(which).leave(),
  reopen: (which: number) => {
    const each = at(which);
    each.isOpen = true;
    each.form.at(true);
  },
  reload: (which: number) => {
    at(which).leave();
    replace(which, device.page.tab);
  },
  crash: (which: number) => {
    at(which);
    replace(which, device.newName());
  },
  send: (which: number) => device.sendAll(at(which)),
  sync: () => device.sendAll(undefined),
  answered: (which: number) => end(which, "answered"),
  lost: (which: number) => end(which, "lost"),
  dropped: (which: number) => end(which, "dropped"),
  breakStorage: () => {
    device.storageFails = !device.storageFails;
  },
  days: (which: number) => pass((which + 1) * 2 * DAY_MS, false),
  clockIsSet: (which: number) => pass((which === 0 ? 8 : -8) * DAY_MS, true),
} as const;

type History = [event: keyof typeof EVENTS, which: number][];

/** They went wrong once. */
const WENT_WRONG: string[] = [
  // The key of a correction was lost with the page's memory, and another took its place.
  "press lost typeValid breakStorage press answered lost",
  // A correction in a closed form was sent, and the form called it another application.
  "press dropped typeValid close sync reopen answered press",
];
const asHistory = (events: string) => events.split(" ").map((event) => [event, 0]) as History;

const isBusy = (each: Page) => device.underway.some(({ by }) => by === each);

function end(which: number, how: "answered" | "lost" | "dropped"): void {
  const sending = device.underway[Math.min(which, device.underway.length - 1)];
  if (sending) device.answer(sending, how);
}

function pass(ms: number, jumped: boolean): void {
  vi.setSystemTime(Date.now() + ms);
  for (const [id, age] of device.ages) {
    const isFirst = !age.jumped;
    device.ages.set(id, { ms: age.ms + (jumped ? 0 : ms), jumped: age.jumped || jumped });
    if (jumped && !isFirst) device.ages.delete(id);
  }
}

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

it("sends once or shows each kept application, in its last valid version", () => {
  const event = fc.tuple(
    fc.constantFrom(...(Object.keys(EVENTS) as History[number][0][])),
    fc.constantFrom(0, 1),
  );
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 20, size: "max" }), (history) => {
      vi.setSystemTime(START);
      device = new Device();
      for (const [name, which] of history) EVENTS[name](which);
      device.settle();
      device.expectPromisesKept();
    }),
    { numRuns: RUNS, examples: WENT_WRONG.map((events) => [asHistory(events)]) },
  );
});
