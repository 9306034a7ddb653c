import { expect, it, vi } from "vitest";
import type { Kept, SendOutcome } from "#lib/browser/entry.ts";
import { Outbox } from "#lib/browser/outbox.ts";
import { FakeDisk } from "#testing/device/disk.ts";
import { filledIn, receipt } from "#testing/fixtures/browser-application.ts";

const RECEIVED: SendOutcome = { kind: "received", receipt };
const LATER: SendOutcome = { kind: "later", errorText: undefined, reason: "connection" };

const keptAs = (id: string, at = 0): Kept => ({ id, form: "dialog", values: filledIn, at });

function newOutbox(disk = new FakeDisk()) {
  const channel = { onmessage: null as BroadcastChannel["onmessage"], postMessage: vi.fn() };
  const openChannel = vi.fn(() => channel);
  return { outbox: new Outbox({ ...disk.forPage(), openChannel }), disk, channel, openChannel };
}
const ids = (outbox: Outbox) => outbox.listEntries().map(({ id }) => id);

it("the outbox lists the oldest entry first", async () => {
  const { outbox } = newOutbox();
  expect(outbox.listEntries()).toEqual([]);
  for (const [index, at] of [2, 3, 1].entries()) await outbox.keep(keptAs(`${index}`, at));
  expect(ids(outbox)).toEqual(["2", "0", "1"]);
});

it("an application that the disk cannot store is not in the outbox", async () => {
  const { outbox, disk } = newOutbox();
  disk.fails = true;
  expect(await outbox.keep(keptAs("a"))).toBe(false);
  expect(ids(outbox)).toEqual([]);
});

it("other pages hear of an application when its request has ended", async () => {
  const { outbox, channel } = newOutbox();
  await outbox.keep(keptAs("a"));
  expect(channel.postMessage).not.toHaveBeenCalled();
  await outbox.settle(keptAs("a"), LATER);
  expect(channel.postMessage).toHaveBeenCalledTimes(1);
  await outbox.settle(keptAs("a"), RECEIVED);
  expect(channel.postMessage).toHaveBeenCalledTimes(2);
});

it("a page reads the changes of another page when it hears of them", async () => {
  const { outbox, disk, channel } = newOutbox();
  const listener = vi.fn();
  const unsubscribe = outbox.subscribe(listener);
  await newOutbox(disk).outbox.keep(keptAs("a"));
  channel.onmessage?.call({} as BroadcastChannel, {} as MessageEvent);
  await expect.poll(() => ids(outbox)).toEqual(["a"]);
  expect(listener).toHaveBeenCalledTimes(1);
  unsubscribe();
  await outbox.remove("a");
  expect(listener).toHaveBeenCalledTimes(1);
});

it("a page shows an answer that its disk cannot store until it reads the disk again", async () => {
  const { outbox, disk } = newOutbox();
  await outbox.keep(keptAs("a"));
  disk.fails = true;
  await outbox.settle(keptAs("a"), RECEIVED);
  expect(outbox.listEntries()).toMatchObject([{ receipt }]);
  expect(await outbox.refresh()).toBe(false);
  expect(outbox.listEntries()).toMatchObject([{ receipt }]);
  disk.fails = false;
  expect(await outbox.refresh()).toBe(true);
  expect(outbox.listEntries()).toEqual([keptAs("a")]);
});

it("taking an application back removes it from the disk, but leaves a receipt", async () => {
  const { outbox, disk } = newOutbox();
  await outbox.keep(keptAs("a"));
  disk.fails = true;
  expect(await outbox.takeBack("a")).toBeUndefined();
  disk.fails = false;
  expect(await outbox.takeBack("a")).toEqual(keptAs("a"));
  expect([await outbox.takeBack("a"), disk.entries.size]).toEqual([undefined, 0]);
  await outbox.settle(keptAs("a"), RECEIVED);
  expect([await outbox.takeBack("a"), disk.entries.size]).toEqual([undefined, 1]);
  expect([await outbox.remove("a"), disk.entries.size]).toEqual([true, 0]);
  disk.fails = true;
  expect(await outbox.remove("a")).toBe(false);
});

it("reading the disk deletes receipts of more than seven days ago", async () => {
  const { outbox, disk } = newOutbox();
  disk.entries.set("old", { id: "old", at: Date.now() - 8 * 86_400_000, receipt });
  disk.entries.set("kept", keptAs("kept"));
  await outbox.refresh();
  expect(ids(outbox)).toEqual(["kept"]);
  await expect.poll(() => [...disk.entries.keys()]).toEqual(["kept"]);
});

it("no notice repeats what a form of the page shows", async () => {
  const { outbox } = newOutbox();
  for (const id of ["a", "b"]) await outbox.keep(keptAs(id));
  const shown = () => outbox.listNotices().map(({ id }) => id);
  outbox.setShownByForm("a");
  expect(shown()).toEqual(["b"]);
  // React renders again whenever the list is another object.
  expect(outbox.listNotices()).toBe(outbox.listNotices());
  outbox.setShownByForm(undefined);
  expect(shown()).toEqual(["a", "b"]);
});

it("the outbox works without BroadcastChannel", async () => {
  const { outbox, openChannel } = newOutbox();
  openChannel.mockImplementation(() => {
    throw new Error("no BroadcastChannel");
  });
  outbox.subscribe(() => undefined);
  expect(await outbox.keep(keptAs("a"))).toBe(true);
  expect(await outbox.remove("a")).toBe(true);
});
