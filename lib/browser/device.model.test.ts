/**
 * Random histories of one device: two tabs (one can be a duplicate of the other), a service worker, a server that loses
 * answers and refuses, a storage that fails, a clock that jumps, and a device that is off for a month.
 */
import fc from "fast-check";
import { beforeEach, expect, it, vi } from "vitest";
import { DAY } from "#lib/application/durations.ts";
import { isKept } from "#lib/browser/entry.ts";
import {
  Device,
  flushPromises,
  HISTORY_OPTIONS,
  type RequestEnding,
} from "#testing/device/model.ts";
import type { DevicePage } from "#testing/device/page.ts";
import { findBroken, RULES_AT_ANY_MOMENT, RULES_AT_THE_END } from "#testing/device/rules.ts";

const START = Date.UTC(2026, 11, 1);

type Event = (device: Device, page: DevicePage, index: number) => unknown;

const endRequest = (device: Device, index: number, how: RequestEnding) => {
  const request = device.requests[Math.min(index, device.requests.length - 1)];
  if (request) device.endRequest(request, how);
};
const submit = (device: Device, page: DevicePage) => {
  const { status, application } = page.form.getSnapshot();
  const values = status === "kept" ? application?.values : page.fields;
  // A submission after 고치기 or 삭제 makes the application new: it counts as promised once the form says so again.
  if (status !== "sending" && device.takenBackOrDeleted.delete(values?.phone))
    device.promised.delete(values?.phone);
  // A page that can store nothing may lose the key, and a repeat then has another one.
  if (device.disk.fails) device.mayHaveTwoKeys.add(values?.phone);
  page.submit();
};
const findUnshownEntry = (page: DevicePage) => page.outbox.listUnshown()[0];

/** The events that can happen at each of the two tabs. */
const EVENTS: Record<string, Event> = {
  type: (device, page) => page.type(device.newValues()),
  clear: (_, page) => page.type({}),
  submit: (device, page) => submit(device, page),
  submitFourTimes: (device, page) => {
    for (let times = 0; times < 4; times += 1) submit(device, page);
  },
  apply: (device, page) => {
    page.type(device.newValues());
    submit(device, page);
  },
  reset: (_, page) => {
    const { status } = page.form.getSnapshot();
    if (status === "kept" || status === "received") page.form.reset();
  },
  reload: (device, page, index) => device.openPage(index, page.session),
  // Firefox restores the fields after a reload.
  reloadRefilled: (device, page, index) =>
    device.openPage(index, page.session, { refilled: page.fields }),
  backRefilled: (device, page, index) => {
    const refilled = device.previousPages[index]?.fields ?? {};
    device.openPage(index, page.session, { refilled });
  },
  leave: (device, _, index) => device.leavePage(index),
  back: (device, _, index) => device.goBack(index),
  crash: (device, _, index) => device.openPage(index, {}),
  duplicate: (device, page, index) => {
    const { draft } = page.session;
    if (typeof draft === "object" && draft.id === undefined)
      device.mayHaveTwoKeys.add(draft.values.phone);
    device.openPage(1 - index, { draft });
  },
  run: (_, page) => page.outbox.keepSending(),
  sync: ({ serviceWorker }) => serviceWorker.outbox.sendWaiting(),
  answered: (device, _, index) => endRequest(device, index, "answered"),
  lost: (device, _, index) => endRequest(device, index, "lost"),
  dropped: (device, _, index) => endRequest(device, index, "dropped"),
  refused: (device, _, index) => endRequest(device, index, "refused"),
  remove: (device, page) => {
    const entry = findUnshownEntry(page);
    if (!entry || device.disk.fails) return;
    if (isKept(entry)) device.takenBackOrDeleted.add(entry.values.phone);
    void page.outbox.remove(entry.id);
  },
  takeBack: async (device, page) => {
    const { status, application } = page.form.getSnapshot();
    if (status !== "kept" || device.disk.fails) return;
    device.takenBackOrDeleted.add(application.values.phone);
    await page.takeBack();
  },
  edit: (device, page, index) => {
    const entry = findUnshownEntry(page);
    if (!entry) return;
    if (isKept(entry) && !device.disk.fails) device.takenBackOrDeleted.add(entry.values.phone);
    device.openPage(index, page.session, { edit: entry.id });
  },
  breakStorage: ({ disk, pages }) => {
    disk.fails = !disk.fails;
    // A page reads the disk again at its next run.
    for (const page of pages) void page.outbox.refresh();
  },
  minutes: () => void vi.advanceTimersByTime(11 * 60_000),
  month: (device) => {
    for (const index of [0, 1]) device.openPage(index, {});
    vi.setSystemTime(Date.now() + 31 * DAY);
  },
  setClock: (_device, _page, index) =>
    void vi.setSystemTime(Date.now() + (index === 0 ? 8 : -8) * DAY),
};

const OFTEN = "apply apply apply dropped dropped answered type submit leave back run remove".split(
  " ",
);

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));

it("the rules of a device hold in any history of events [36][62][68][71]", {
  timeout: 3_600_000,
}, async () => {
  // The names in OFTEN are listed again, and so are drawn more often: most events need an application.
  const names = [...Object.keys(EVENTS), ...OFTEN];
  const event = fc.tuple(fc.constantFrom(...names), fc.constantFrom(0, 0, 0, 1));
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 20, size: "max" }),
      async (history) => {
        vi.clearAllTimers();
        vi.setSystemTime(START);
        const device = new Device();
        await flushPromises();
        for (const [name, index] of history) {
          const page = device.pages[index];
          if (page) void EVENTS[name]?.(device, page, index);
          await flushPromises();
          device.notePromises();
          expect(findBroken(RULES_AT_ANY_MOMENT, device)).toEqual([]);
        }
        await device.letEverythingArrive();
        expect(findBroken(RULES_AT_THE_END, device)).toEqual([]);
      },
    ),
    HISTORY_OPTIONS,
  );
});
