import { expect, it, vi } from "vitest";
import type { TransactionWork } from "#lib/browser/database.ts";
import { Outbox } from "#lib/browser/outbox.ts";
import { createQueued, type SendOutcome } from "#lib/browser/record.ts";
import { FakeDisk } from "#testing/device/disk.ts";
import { filledIn, receipt } from "#testing/fixtures/browser-application.ts";

const RECEIVED: SendOutcome = { kind: "received", receipt };

const TICK = { type: "tick", now: 1, isSeen: true } as const;

const newRecord = (id: string, at = 0) =>
  createQueued({ id, form: "dialog", tab: "tab", values: filledIn }, at);
const answered = (id: string) =>
  ({ type: "answered", sent: newRecord(id), outcome: RECEIVED, toldByForm: true, now: 1 }) as const;

function newOutbox(disk = new FakeDisk(() => undefined)) {
  const channel = { onmessage: null as BroadcastChannel["onmessage"], postMessage: vi.fn() };
  const transact = (work: TransactionWork) => disk.transact(work, () => true);
  const openChannel = vi.fn(() => channel);
  const deps = { commit: transact, transact, refreshLocks: async () => undefined, openChannel };
  return { outbox: new Outbox(deps), disk, channel, openChannel };
}
const ids = (outbox: Outbox) => outbox.records().map(({ id }) => id);

it("the outbox lists the oldest record first", async () => {
  const { outbox } = newOutbox();
  expect(outbox.records()).toEqual([]);
  for (const [index, at] of [2, 3, 1].entries()) await outbox.submit(newRecord(`${index}`, at));
  expect(ids(outbox)).toEqual(["2", "0", "1"]);
});

it("a submission replaces its earlier record on the disk", async () => {
  const { outbox, disk, channel } = newOutbox();
  await outbox.submit(newRecord("a"));
  channel.postMessage.mockClear();
  const submission = outbox.submit(newRecord("b"), newRecord("a"));
  expect(ids(outbox)).toEqual(["b"]);
  expect(await submission).toBe(true);
  expect([ids(outbox), [...disk.records.keys()]]).toEqual([["b"], ["b"]]);
  await outbox.refresh();
  expect(channel.postMessage).toHaveBeenCalledTimes(1);
});

it.each([
  ["a stored", ["a"]],
  ["an unstored", []],
])("the outbox keeps %s record when its replacement cannot be stored", async (_, stored) => {
  const { outbox, disk } = newOutbox();
  disk.fails = stored.length === 0;
  await outbox.submit(newRecord("a"));
  disk.fails = true;
  expect(await outbox.submit(newRecord("b", 1), newRecord("a"))).toBe(false);
  expect(ids(outbox)).toEqual(["a", "b"]);
  disk.fails = false;
  await outbox.refresh();
  expect([ids(outbox), [...disk.records.keys()]]).toEqual([["a", "b"], stored]);
});

it("the outbox reports a stored record as stored even if storing it again fails", async () => {
  const { outbox, disk } = newOutbox();
  await outbox.submit(newRecord("a"));
  disk.fails = true;
  expect(await outbox.submit(newRecord("a", 1))).toBe(true);
  expect(await outbox.apply("a", TICK)).toBeUndefined();
  disk.fails = false;
  expect(await outbox.apply("a", TICK)).toMatchObject({ state: "queued", at: 0 });
});

it("resubmitting an expired record returns false if the disk fails", async () => {
  const { outbox, disk } = newOutbox();
  const { values, ...common } = newRecord("a");
  disk.records.set("a", { ...common, state: "expired", seen: true });
  await outbox.refresh();
  disk.fails = true;
  expect(await outbox.submit({ ...newRecord("a", 1), values })).toBe(false);
});

it.each([
  ["the server's answer", answered("a"), ["received"]],
  ["a removal", { type: "removed" }, []],
] as const)("the outbox repeats the failed write of %s", async (_, event, states) => {
  const { outbox, disk, channel } = newOutbox();
  await outbox.submit(newRecord("a"));
  disk.fails = true;
  channel.postMessage.mockClear();
  await outbox.apply("a", event);
  expect(channel.postMessage).toHaveBeenCalledTimes(1);
  expect(await outbox.refresh()).toBe(false);
  expect([...disk.records.values()]).toMatchObject([{ state: "queued" }]);
  disk.fails = false;
  channel.postMessage.mockClear();
  expect(await outbox.refresh()).toBe(true);
  expect([...disk.records.values()].map(({ state }) => state)).toEqual(states);
  expect(channel.postMessage).toHaveBeenCalledTimes(1);
  disk.records.clear();
  await outbox.refresh();
  expect(ids(outbox)).toEqual([]);
  expect(channel.postMessage).toHaveBeenCalledTimes(1);
});

it("the outbox keeps a change that is made while it repeats a failed write", async () => {
  const { outbox, disk } = newOutbox();
  await outbox.submit(newRecord("a"));
  disk.fails = true;
  await outbox.apply("a", answered("a"));
  const removal = outbox.apply("a", { type: "removed" });
  disk.fails = false;
  await Promise.all([outbox.refresh(), removal]);
  expect(ids(outbox)).toEqual([]);
});

it("a failed write of an unchanged record is not repeated", async () => {
  const { outbox, disk } = newOutbox();
  await outbox.submit(newRecord("a"));
  await outbox.apply("a", answered("a"));
  disk.fails = true;
  await outbox.apply("a", answered("a"));
  disk.fails = false;
  disk.records.clear();
  await outbox.refresh();
  expect([...disk.records.keys()]).toEqual([]);
});

it("a tick does not store a record whose submission could not be stored", async () => {
  const { outbox, disk } = newOutbox();
  disk.fails = true;
  await outbox.submit(newRecord("a"));
  expect(await outbox.apply("a", TICK)).toBeUndefined();
  disk.fails = false;
  expect(await outbox.apply("a", TICK)).toBeUndefined();
  expect([...disk.records.keys()]).toEqual([]);
});

it("the outbox works without BroadcastChannel", async () => {
  const { outbox, openChannel } = newOutbox();
  openChannel.mockImplementation(() => {
    throw new Error("no BroadcastChannel");
  });
  outbox.subscribe(() => undefined);
  expect(await outbox.submit(newRecord("a"))).toBe(true);
});

it("a listener is called once for each change until it unsubscribes", () => {
  const { outbox } = newOutbox();
  const [form, listener] = [{}, vi.fn()];
  const unsubscribe = outbox.subscribe(listener);
  for (const id of ["a", "a", "b"]) outbox.setShownByForm(form, id);
  expect([outbox.isShownByForm("a"), outbox.isShownByForm("b")]).toEqual([false, true]);
  outbox.setShownByForm(form, undefined);
  expect(outbox.isShownByForm("b")).toBe(false);
  unsubscribe();
  outbox.setShownByForm(form, "a");
  expect(listener).toHaveBeenCalledTimes(4);
});
