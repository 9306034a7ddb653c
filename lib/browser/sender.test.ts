import { beforeEach, expect, it, vi } from "vitest";
import type { Kept, SendOutcome } from "#lib/browser/entry.ts";
import { Outbox } from "#lib/browser/outbox.ts";
import { Sender } from "#lib/browser/sender.ts";
import { FakeDisk } from "#testing/device/disk.ts";
import { filledIn, receipt } from "#testing/fixtures/browser-application.ts";

const LATER: SendOutcome = { kind: "later", errorText: undefined, reason: "connection" };
const RECEIVED: SendOutcome = { kind: "received", receipt };
const REFUSED: SendOutcome = { kind: "refused", refusal: { errorText: "확인", errors: {} } };
const HOUR_MS = 3_600_000;

const keptAs = (id: string): Kept => ({ id, form: "dialog", values: filledIn, at: Date.now() });

function newSender() {
  const disk = new FakeDisk();
  const openChannel = () => ({ onmessage: null, postMessage: () => undefined });
  const outbox = new Outbox({ ...disk.forPage(), openChannel });
  const send = vi.fn(async (_: Kept): Promise<SendOutcome> => LATER);
  const requestBackgroundSync = vi.fn(async () => undefined);
  const sender = new Sender({ outbox, send, requestBackgroundSync });
  return { sender, send, outbox, disk, requestBackgroundSync };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 0 });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});

it("an application is on the disk before it is sent", async () => {
  const { sender, send, disk } = newSender();
  send.mockImplementation(async ({ id }) => {
    expect([...disk.entries.keys()]).toEqual([id]);
    return RECEIVED;
  });
  const { stored, outcome } = sender.submit(keptAs("a"));
  expect([await stored, await outcome]).toEqual([true, RECEIVED]);
  expect([...disk.entries.values()]).toEqual([{ id: "a", at: 0, receipt }]);
});

it("pauses between retries double until the next success", async () => {
  const { sender, send } = newSender();
  const sentAt: number[] = [];
  const note = (outcome: SendOutcome) => async () => {
    sentAt.push(Date.now() / 1_000);
    return outcome;
  };
  send.mockImplementation(note(LATER));
  await sender.submit(keptAs("a")).outcome;
  await vi.advanceTimersByTimeAsync(1_100_000);
  // The mocked random number makes each pause a tenth longer than 5, 10, 20, … and at most 300 seconds.
  expect(sentAt).toEqual([0, 5.5, 16.5, 38.5, 82.5, 170.5, 346.5, 676.5, 1_006.5]);
  send.mockImplementation(note(RECEIVED));
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(sentAt.splice(0).at(-1)).toBe(1_336.5);
  send.mockImplementation(note(LATER));
  const start = Date.now() / 1_000;
  await sender.submit(keptAs("b")).outcome;
  await vi.advanceTimersByTimeAsync(17_000);
  expect(sentAt.map((second) => second - start)).toEqual([0, 5.5, 16.5]);
});

it.each([
  ["receives", RECEIVED],
  ["refuses", REFUSED],
])("an application that the server %s is not sent again [34]", async (_, outcome) => {
  const { sender, send } = newSender();
  send.mockResolvedValue(outcome);
  await sender.submit(keptAs("a")).outcome;
  expect(vi.getTimerCount()).toBe(0);
  await sender.run();
  expect(send).toHaveBeenCalledTimes(1);
});

it("a sender joins the request that runs for an application", async () => {
  const { sender, send, outbox } = newSender();
  await outbox.keep(keptAs("a"));
  const answer = Promise.withResolvers<SendOutcome>();
  send.mockReturnValue(answer.promise);
  const sending = [sender.run(), sender.submit(keptAs("a")).outcome, sender.sendWaiting()];
  await vi.advanceTimersByTimeAsync(0);
  answer.resolve(RECEIVED);
  expect(await Promise.all(sending)).toEqual([undefined, RECEIVED, 0]);
  expect(send).toHaveBeenCalledTimes(1);
});

it("a run sends each waiting application", async () => {
  const { sender, send, outbox } = newSender();
  for (const id of ["a", "b"]) await outbox.keep(keptAs(id));
  send.mockImplementation(async ({ id }) => (id === "a" ? RECEIVED : LATER));
  expect(await sender.sendWaiting()).toBe(1);
  expect(send.mock.calls.map(([{ id }]) => id)).toEqual(["a", "b"]);
});

it("two runs at once schedule one retry", async () => {
  const { sender, outbox } = newSender();
  await outbox.keep(keptAs("a"));
  await Promise.all([sender.run(), sender.run()]);
  expect(vi.getTimerCount()).toBe(1);
  const running = sender.run();
  expect(vi.getTimerCount()).toBe(0);
  await running;
});

it("a database that does not answer counts as one waiting application", async () => {
  const { sender, send, disk, outbox } = newSender();
  await outbox.keep(keptAs("a"));
  disk.fails = true;
  expect(await sender.sendWaiting()).toBe(1);
  expect(send).not.toHaveBeenCalled();
});

it("each failed request asks for Background Sync again", async () => {
  const { sender, requestBackgroundSync } = newSender();
  await sender.submit(keptAs("a")).outcome;
  expect(requestBackgroundSync).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(requestBackgroundSync).toHaveBeenCalledTimes(3);
});

it("nothing sends an application later that the disk could not store", async () => {
  const { sender, disk, outbox, requestBackgroundSync } = newSender();
  // The write succeeds after the page has given up waiting.
  vi.spyOn(outbox, "keep").mockImplementation(async (kept) => {
    disk.entries.set(kept.id, kept);
    return false;
  });
  const { stored, outcome } = sender.submit(keptAs("a"));
  expect([await stored, await outcome]).toEqual([false, LATER]);
  expect(requestBackgroundSync).not.toHaveBeenCalled();
  expect([vi.getTimerCount(), disk.entries.size]).toEqual([0, 0]);
});
