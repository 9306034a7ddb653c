import { beforeEach, expect, it, vi } from "vitest";
import { Outbox } from "#lib/browser/outbox.ts";
import { createQueued, type SendOutcome } from "#lib/browser/record.ts";
import { Sender } from "#lib/browser/sender.ts";
import { FakeDisk } from "#testing/device/disk.ts";
import { FakeLocks } from "#testing/device/locks.ts";
import { filledIn, receipt } from "#testing/fixtures/browser-application.ts";

const LATER: SendOutcome = { kind: "later", errorText: undefined, reason: "connection" };
const RECEIVED: SendOutcome = { kind: "received", receipt };
const REJECTED: SendOutcome = { kind: "rejected", refusal: { errorText: "확인", errors: {} } };
const HOUR_MS = 3_600_000;

const newRecord = (id: string) =>
  createQueued({ id, form: "dialog", tab: "tab", values: filledIn }, Date.now());

function newSender({ isWorker = false } = {}) {
  const disk = new FakeDisk(() => undefined);
  const locks = new FakeLocks<string>();
  const outbox = new Outbox({
    commit: (work) => disk.transact(work, () => true),
    transact: (work) => disk.transact(work, () => true),
    refreshLocks: async () => undefined,
    openChannel: () => ({ onmessage: null, postMessage: () => undefined }),
  });
  const send = vi.fn(async (): Promise<SendOutcome> => LATER);
  const requestBackgroundSync = vi.fn(async () => undefined);
  const requestLock = vi.fn((name: string, _waitMs?: number) => locks.request(name, "page"));
  const sender = new Sender({
    outbox,
    send,
    requestBackgroundSync,
    isPageVisible: isWorker ? undefined : () => true,
    locks: {
      requestLock,
      isLocked: (name) => locks.isHeld(name),
      refreshLocks: async () => undefined,
    },
  });
  return { sender, send, outbox, disk, locks, requestLock, requestBackgroundSync };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: 0 });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});

it("pauses between retries grow until the next success", async () => {
  const { sender, send } = newSender();
  const sentAt: number[] = [];
  const note = (outcome: SendOutcome) => async () => {
    sentAt.push(Date.now() / 1_000);
    return outcome;
  };
  send.mockImplementation(note(LATER));
  await sender.submit(newRecord("a")).outcome;
  await vi.advanceTimersByTimeAsync(900_000);
  // The mocked random number makes each pause a tenth longer than 5, 15, 30, 60, 120 or 300 seconds.
  expect(sentAt).toEqual([0, 5.5, 22, 55, 121, 253, 583]);
  send.mockImplementation(note(RECEIVED));
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(sentAt.splice(0).at(-1)).toBe(913);
  send.mockImplementation(note(LATER));
  const start = Date.now() / 1_000;
  await sender.submit(newRecord("b")).outcome;
  await vi.advanceTimersByTimeAsync(23_000);
  expect(sentAt.map((second) => second - start)).toEqual([0, 5.5, 22]);
});

it.each([
  ["receives", RECEIVED],
  ["rejects", REJECTED],
])("a submission that the server %s is not sent again", async (_, outcome) => {
  const { sender, send } = newSender();
  send.mockResolvedValue(outcome);
  await sender.submit(newRecord("a")).outcome;
  expect(vi.getTimerCount()).toBe(0);
  await sender.run();
  expect(send).toHaveBeenCalledTimes(1);
});

it("an application that cannot be sent for seven days expires", async () => {
  const { sender, outbox } = newSender();
  await sender.submit(newRecord("a")).outcome;
  for (const [days, state] of [
    [6, "queued"],
    [7, "expired"],
  ] as const) {
    vi.setSystemTime(days * 24 * HOUR_MS);
    await sender.run();
    expect(outbox.records()).toMatchObject([{ state }]);
  }
});

it("the sender has one run at a time", async () => {
  const { sender, send, outbox } = newSender();
  await outbox.submit(newRecord("a"));
  const answer = Promise.withResolvers<SendOutcome>();
  send.mockReturnValue(answer.promise);
  const runs = [sender.run(), sender.run()];
  answer.resolve(LATER);
  await Promise.all(runs);
  expect(send).toHaveBeenCalledTimes(1);
  await sender.run();
  expect(send).toHaveBeenCalledTimes(2);
});

it("the sender schedules one retry at a time", async () => {
  const { sender, send, outbox } = newSender();
  send.mockResolvedValue(RECEIVED);
  await outbox.submit(newRecord("a"));
  sender.schedule(60);
  sender.schedule(10);
  await vi.advanceTimersByTimeAsync(10_999);
  expect(send).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(send).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
  sender.schedule(60);
  await sender.run();
  expect(vi.getTimerCount()).toBe(0);
});

it("a database that cannot be read counts as one unsent record", async () => {
  const { sender, send, disk, outbox } = newSender();
  send.mockResolvedValue(RECEIVED);
  await outbox.submit(newRecord("a"));
  disk.fails = true;
  expect(await sender.sendQueued()).toBe(2);
  disk.fails = false;
  expect(await sender.sendQueued()).toBe(0);
});

it.each(["submission/a", "editing/a"])("the lock %s prevents sending a record", async (name) => {
  const { sender, send, outbox, locks } = newSender();
  await outbox.submit(newRecord("a"));
  const lock = locks.request(name, "other");
  expect(await sender.sendQueued()).toBe(1);
  expect(send).not.toHaveBeenCalled();
  lock.release();
  send.mockResolvedValue(RECEIVED);
  expect(await sender.sendQueued()).toBe(0);
});

it.each([
  ["receives", RECEIVED, 0],
  ["does not receive", LATER, 1],
])(
  "the service worker lets a page's submission end first: the server %s it",
  async (_, outcome, left) => {
    const { sender, send, outbox, locks, requestLock } = newSender({ isWorker: true });
    const record = newRecord("a");
    await outbox.submit(record);
    const submission = locks.request("submission/a", "other");
    const remaining = sender.sendQueued();
    await vi.advanceTimersByTimeAsync(0);
    await outbox.apply("a", { type: "answered", sent: record, outcome, toldByForm: true, now: 0 });
    submission.release();
    expect(await remaining).toBe(left);
    expect(send).toHaveBeenCalledTimes(left);
    expect(locks.isHeld("")).toBe(false);
    // A page that hangs must not use up the time that the browser gives the service worker.
    expect(requestLock).toHaveBeenCalledWith("submission/a", 12_000);
  },
);

it("other pages are notified of a submission's end after its lock is released", async () => {
  const { sender, outbox, locks } = newSender();
  const isLocked: boolean[] = [];
  vi.spyOn(outbox, "notifyOtherPages").mockImplementation(() => {
    isLocked.push(locks.isHeld("submission/a"));
  });
  await sender.submit(newRecord("a")).outcome;
  expect(isLocked.at(-1)).toBe(false);
});

it("the outbox is refreshed after a failed request has caused background sync", async () => {
  const { sender, outbox, requestBackgroundSync } = newSender();
  await outbox.submit(newRecord("a"));
  const granted = Promise.withResolvers<undefined>();
  requestBackgroundSync.mockReturnValue(granted.promise);
  await sender.run();
  const listener = vi.fn();
  outbox.subscribe(listener);
  granted.resolve(undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(listener).toHaveBeenCalledTimes(1);
});

it("the sender sends although a frozen page keeps the sender's lock", async () => {
  const { sender, send, outbox, locks, requestLock } = newSender();
  requestLock.mockImplementation((name, waitMs) => locks.request(name, "page", waitMs));
  await outbox.submit(newRecord("a"));
  locks.request("sender", "frozen");
  send.mockResolvedValue(RECEIVED);
  expect(await sender.sendQueued()).toBe(0);
});

it("background sync is not requested while another page has the submission's lock", async () => {
  const { sender, send, locks, requestBackgroundSync } = newSender();
  const other = locks.request("submission/a", "other");
  send.mockReturnValue(new Promise(() => undefined));
  sender.submit(newRecord("a"));
  await vi.advanceTimersByTimeAsync(0);
  expect(requestBackgroundSync).not.toHaveBeenCalled();
  other.release();
  await vi.advanceTimersByTimeAsync(0);
  expect(requestBackgroundSync).toHaveBeenCalledTimes(1);
});

it("background sync is not requested for a submission that is not stored", async () => {
  const { sender, disk, requestBackgroundSync, outbox } = newSender();
  disk.fails = true;
  const { stored, outcome } = sender.submit(newRecord("a"));
  expect(await stored).toBe(false);
  await outcome;
  expect(requestBackgroundSync).not.toHaveBeenCalled();
  // No page may send an application that the form reports as not stored.
  expect(outbox.find("a")).toBeUndefined();
});

it("a receipt removes the replaced record even when the disk fails", async () => {
  const { sender, send, disk, outbox } = newSender();
  await outbox.submit(newRecord("a"));
  disk.fails = true;
  send.mockResolvedValue(RECEIVED);
  await sender.submit(newRecord("b"), newRecord("a")).outcome;
  const told = { state: "received", toldByForm: true, seen: true };
  expect(outbox.records()).toMatchObject([{ id: "b", ...told }]);
});
