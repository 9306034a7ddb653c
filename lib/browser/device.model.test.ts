/**
 * Random histories of one device: two tabs (one can be a duplicate of the other), a service worker, a server that loses
 * answers and refuses, a storage that fails and a clock that jumps.
 */
import fc from "fast-check";
import { beforeEach, it, vi } from "vitest";
import { DAY } from "#lib/application/durations.ts";
import {
  Device,
  flushPromises,
  HISTORY_OPTIONS,
  type RequestEnding,
} from "#testing/device/model.ts";
import type { DevicePage } from "#testing/device/page.ts";

const START = Date.UTC(2026, 11, 1);

type Event = (device: Device, page: DevicePage, index: number) => void;

const type = (device: Device, page: DevicePage, change = {}) => {
  const isEditable = page.isOpen && page.form.getSnapshot().status !== "sending";
  if (isEditable) page.type(device.newValues(change));
};
const endRequest = (device: Device, index: number, how: RequestEnding) => {
  const request = device.requests[Math.min(index, device.requests.length - 1)];
  if (request) device.end(request, how);
};

/** The events that can happen at each of the two tabs. */
const EVENTS: Record<string, Event> = {
  type: (device, page) => type(device, page),
  typeHalf: (device, page) => type(device, page, { phone: "010-" }),
  typeLongYear: (device, page) => type(device, page, { preferredDate: "12026-12-05" }),
  submit: (_, page) => page.submit(),
  submitFourTimes: (_, page) => {
    for (let times = 0; times < 4; times += 1) page.submit();
  },
  apply: (device, page) => {
    type(device, page);
    page.submit();
  },
  close: (_, page) => page.setOpen(false),
  open: (_, page) => page.setOpen(true),
  reload: (device, page, index) => {
    page.setOpen(false);
    device.openPage(index, page.session);
  },
  // Firefox restores the fields after a reload.
  reloadRefilled: (device, page, index) => {
    page.setOpen(false);
    const { submitted } = page.form.getSnapshot();
    device.openPage(index, page.session, page.previousValues ?? submitted);
  },
  crash: (device, _, index) => device.openPage(index, new Map()),
  duplicate: (device, page, index) => {
    device.openPage(1 - index, new Map(page.session));
  },
  sendQueued: (_, page) => void page.sender.sendQueued(),
  sync: ({ worker }) => void worker.sender.sendQueued(),
  answered: (device, _, index) => endRequest(device, index, "answered"),
  lost: (device, _, index) => endRequest(device, index, "lost"),
  dropped: (device, _, index) => endRequest(device, index, "dropped"),
  rejected: (device, _, index) => endRequest(device, index, "rejected"),
  remove: (device, page, index) => {
    const record = page.outbox.records()[index];
    if (!record || page.outbox.isShownByForm(record.id)) return;
    device.removed.add("values" in record ? record.values.phone : undefined);
    void page.outbox.apply(record.id, { type: "removed" });
  },
  correct: (device, page, index) => {
    const record = page.outbox.records().find(({ state }) => state === "rejected");
    if (record?.state !== "rejected") return;
    page.drafts.save(record.values, record.id);
    page.setOpen(false);
    device.openPage(index, page.session);
  },
  breakStorage: ({ disk }) => {
    disk.fails = !disk.fails;
  },
  // Eleven minutes are longer than the time limit of a lock and than every timer of the senders.
  idle: (device) => {
    for (const page of device.pages) page.setIdle();
    vi.advanceTimersByTime(11 * 60_000);
    if (device.locks.isHeld("editing/")) device.complaints.push("a form is locked for ever");
  },
  days: (_device, _page, index) => void vi.setSystemTime(Date.now() + (index + 1) * 2 * DAY),
  setClock: (_device, _page, index) =>
    void vi.setSystemTime(Date.now() + (index === 0 ? 8 : -8) * DAY),
};

const OFTEN = ["apply", "apply", "apply", "apply", "dropped", "dropped", "type", "type", "submit"];

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));

it("the device keeps its invariants in any history of events", { timeout: 3_600_000 }, async () => {
  // Every history begins with an application, which all other events need.
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
          if (page) EVENTS[name]?.(device, page, index);
          await flushPromises();
          for (const each of device.pages) each.replaceFinishedForm();
          await flushPromises();
          device.expectTrueForms();
        }
        await device.settle();
        device.expectPromisesKept();
      },
    ),
    HISTORY_OPTIONS,
  );
});
