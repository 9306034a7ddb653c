import { beforeEach, expect, it, vi } from "vitest";
import type { SendOutcome, SubmittedApplication } from "#lib/browser/entry.ts";
import { Outbox } from "#lib/browser/outbox.ts";
import { FakeDisk } from "#testing/device/disk.ts";
import { filledInValues, receipt } from "#testing/fixtures/browser-application.ts";

const RECEIVED: SendOutcome = { kind: "received", receipt };
const REFUSED: SendOutcome = { kind: "refused", refusal: { errorText: "확인", errors: {} } };
const LATER: SendOutcome = { kind: "later", errorText: undefined, reason: "connection" };
const HOUR_MS = 3_600_000;

const keptAs = (id: string, at = Date.now()): SubmittedApplication => ({
  id,
  form: "dialog",
  values: filledInValues,
  at,
});

function newOutbox(disk = new FakeDisk()) {
  const channel = { onmessage: null as BroadcastChannel["onmessage"], postMessage: vi.fn() };
  const deps = {
    ...disk.forPage(),
    send: vi.fn(async (_: SubmittedApplication): Promise<SendOutcome> => LATER),
    requestBackgroundSync: vi.fn(async () => undefined),
    openChannel: () => channel,
  };
  return { outbox: new Outbox(deps), disk, channel, ...deps };
}
const ids = (outbox: Outbox) => outbox.listUnshown().map(({ id }) => id);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 0 });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});

it("an application that the disk cannot store is not in the outbox", async () => {
  const { outbox, disk, requestBackgroundSync } = newOutbox();
  disk.fails = true;
  expect(await outbox.keep(keptAs("a"))).toBe(false);
  expect(ids(outbox)).toEqual([]);
  expect([requestBackgroundSync.mock.calls, vi.getTimerCount()]).toEqual([[], 0]);
});

it("other pages hear of an application when its request has ended", async () => {
  const { outbox, channel, send } = newOutbox();
  await outbox.keep(keptAs("a"));
  expect(channel.postMessage).not.toHaveBeenCalled();
  await outbox.send(keptAs("a"));
  expect(channel.postMessage).toHaveBeenCalledTimes(1);
  send.mockResolvedValue(RECEIVED);
  await outbox.send(keptAs("a"));
  expect(channel.postMessage).toHaveBeenCalledTimes(2);
});

it("a page shows an answer that its disk cannot store until it reads the disk again", async () => {
  const { outbox, disk, send } = newOutbox();
  await outbox.keep(keptAs("a"));
  disk.fails = true;
  send.mockResolvedValue(RECEIVED);
  await outbox.send(keptAs("a"));
  expect(outbox.find("a")).toMatchObject({ receipt });
  expect(await outbox.refresh()).toBe(false);
  expect(outbox.find("a")).toMatchObject({ receipt });
  disk.fails = false;
  expect(await outbox.refresh()).toBe(true);
  expect(outbox.find("a")).toEqual(keptAs("a"));
});

it("takeBack removes a kept application from the disk, but not a received one", async () => {
  const { outbox, disk, send } = newOutbox();
  await outbox.keep(keptAs("a"));
  expect(await outbox.takeBack("a")).toEqual(keptAs("a"));
  expect([await outbox.takeBack("a"), disk.entries.size]).toEqual([undefined, 0]);
  send.mockResolvedValue(RECEIVED);
  await outbox.send(keptAs("a"));
  expect([await outbox.takeBack("a"), disk.entries.size]).toEqual([undefined, 1]);
});

it("an entry that the disk cannot change stays as it is", async () => {
  const { outbox, disk } = newOutbox();
  await outbox.keep(keptAs("a"));
  disk.fails = true;
  expect(await outbox.takeBack("a")).toBeUndefined();
  await outbox.remove("a");
  expect(ids(outbox)).toEqual(["a"]);
  disk.fails = false;
  await outbox.remove("a");
  expect([ids(outbox), disk.entries.size]).toEqual([[], 0]);
});

it("reading the disk deletes receipts of more than seven days ago", async () => {
  const { outbox, disk } = newOutbox();
  disk.entries.set("old", { id: "old", at: Date.now() - 8 * 24 * HOUR_MS, receipt });
  disk.entries.set("kept", keptAs("kept"));
  await outbox.refresh();
  expect(ids(outbox)).toEqual(["kept"]);
  await expect.poll(() => [...disk.entries.keys()]).toEqual(["kept"]);
});

it("pauses between retries double up to 300 s until the next success", async () => {
  const { outbox, send } = newOutbox();
  const sentAt: number[] = [];
  const note = (outcome: SendOutcome) => async () => {
    sentAt.push(Date.now() / 1_000);
    return outcome;
  };
  send.mockImplementation(note(LATER));
  await outbox.keep(keptAs("a"));
  await vi.advanceTimersByTimeAsync(1_100_000);
  // The pauses are 5, 10, 20 … 300 seconds, and the mocked random number makes each a tenth longer.
  expect(sentAt).toEqual([5.5, 16.5, 38.5, 82.5, 170.5, 346.5, 676.5, 1_006.5]);
  send.mockImplementation(note(RECEIVED));
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(sentAt.splice(0)).toHaveLength(9);
  send.mockImplementation(note(LATER));
  const start = Date.now() / 1_000;
  await outbox.keep(keptAs("b"));
  await vi.advanceTimersByTimeAsync(17_000);
  expect(sentAt.map((second) => second - start)).toEqual([5.5, 16.5]);
});

it.each([
  ["receives", RECEIVED],
  ["refuses", REFUSED],
])("an application that the server %s is not sent again [34]", async (_, outcome) => {
  const { outbox, send } = newOutbox();
  send.mockResolvedValue(outcome);
  await outbox.keep(keptAs("a"));
  await outbox.send(keptAs("a"));
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(send).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

it("a second call of send joins the running request for an application", async () => {
  const { outbox, send } = newOutbox();
  await outbox.keep(keptAs("a"));
  const answer = Promise.withResolvers<SendOutcome>();
  send.mockReturnValue(answer.promise);
  const sending = [outbox.keepSending(), outbox.send(keptAs("a")), outbox.sendWaiting()];
  await vi.advanceTimersByTimeAsync(0);
  answer.resolve(RECEIVED);
  expect(await Promise.all(sending)).toEqual([undefined, RECEIVED, 0]);
  expect(send).toHaveBeenCalledTimes(1);
});

it("two calls of keepSending at once schedule one retry", async () => {
  const { outbox } = newOutbox();
  await outbox.keep(keptAs("a"));
  await Promise.all([outbox.keepSending(), outbox.keepSending()]);
  expect(vi.getTimerCount()).toBe(1);
  const running = outbox.keepSending();
  expect(vi.getTimerCount()).toBe(0);
  await running;
});

it("a database that does not answer counts as one waiting application", async () => {
  const { outbox, send, disk } = newOutbox();
  await outbox.keep(keptAs("a"));
  disk.fails = true;
  expect(await outbox.sendWaiting()).toBe(1);
  expect(send).not.toHaveBeenCalled();
});

it("each scheduled retry asks for Background Sync again", async () => {
  const { outbox, requestBackgroundSync } = newOutbox();
  await outbox.keep(keptAs("a"));
  expect(requestBackgroundSync).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(requestBackgroundSync).toHaveBeenCalledTimes(2);
});
