import { forceCloseDatabase, IDBDatabase, IDBFactory, IDBTransaction } from "fake-indexeddb";
import { beforeEach, expect, it, vi } from "vitest";
import type { Entry } from "#lib/browser/entry.ts";
import { receipt } from "#testing/fixtures/browser-application.ts";

const entry: Entry = { id: "a", at: 0, receipt };

/** Imports the database module for a new page. `leave` fires the event with which the visitor leaves that page. */
async function openPage() {
  const window = new EventTarget();
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.resetModules();
  const database = await import("#lib/browser/database.ts");
  return { ...database, leave: () => window.dispatchEvent(new Event("pagehide")) };
}

/** The entries that another page finds on the disk. */
const readDisk = async () => (await openPage()).readEntries();

/** Fails while a page keeps the database open. */
function deleteDatabase(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase("outbox");
    request.onsuccess = resolve;
    request.onblocked = reject;
  });
}

const end = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    () => "failed",
  );

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.useFakeTimers({ toFake: ["setTimeout"] });
});

it("a write that fails leaves the disk unchanged", async () => {
  const page = await openPage();
  await page.writeEntry(entry);
  expect(await end(page.writeEntry({} as Entry))).toBe("failed");
  expect(await readDisk()).toEqual([entry]);
});

it("a submission is committed within its own task if the database is open", async () => {
  const commit = vi.spyOn(IDBTransaction.prototype, "commit");
  const transaction = vi.spyOn(IDBDatabase.prototype, "transaction");
  const page = await openPage();
  await page.openDatabase();
  const written = page.writeEntry(entry);
  // These microtasks run before the event that has called writeEntry is over.
  for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
  expect(commit).toHaveBeenCalledTimes(1);
  expect(transaction).toHaveBeenCalledWith("entries", "readwrite", { durability: "strict" });
  await written;
});

it("leaving a page aborts only uncommitted transactions", async () => {
  const page = await openPage();
  await page.openDatabase();
  // WebKit would abort even a committed transaction, so the page must not call `abort` for it.
  const abort = vi.spyOn(IDBTransaction.prototype, "abort");
  const written = page.writeEntry(entry);
  for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
  page.leave();
  expect(abort).not.toHaveBeenCalled();
  await written;
  await page.openDatabase();
  const change = vi.fn(() => ({ ...entry, at: 1 }));
  const changed = page.changeEntry("a", change);
  for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
  page.leave();
  expect(abort).toHaveBeenCalledTimes(1);
  // The aborted change is repeated with a new handle, for a page that Back restores.
  await changed;
  expect(await readDisk()).toEqual([{ ...entry, at: 1 }]);
});

it.each([
  ["it is left", (page) => page.leave()],
  ["the visitor clears the site's data", deleteDatabase],
  [
    "the browser closes it",
    async (page) => Reflect.apply(forceCloseDatabase, undefined, [await page.openDatabase()]),
  ],
] satisfies [string, (page: Awaited<ReturnType<typeof openPage>>) => unknown][])(
  "a page opens its database again after %s [37]",
  async (_, close) => {
    const page = await openPage();
    await page.openDatabase();
    await close(page);
    const open = vi.spyOn(indexedDB, "open");
    await page.writeEntry(entry);
    await page.writeEntry(entry);
    expect(open).toHaveBeenCalledTimes(1);
    // The deletion succeeds only if no handle is open.
    await deleteDatabase();
  },
);

it("a write fails for good if the database takes two seconds to open", async () => {
  const page = await openPage();
  const open = vi.spyOn(indexedDB, "open");
  const late = {} as IDBOpenDBRequest;
  open.mockReturnValueOnce(late);
  const ended = vi.fn();
  const done = end(page.writeEntry(entry)).then(ended);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await done;
  expect(ended).toHaveBeenCalledWith("failed");

  const other = await openPage();
  Object.assign(late, { result: await other.openDatabase() });
  late.onsuccess?.(new Event("success"));
  await vi.advanceTimersByTimeAsync(1);
  expect(await readDisk()).toEqual([]);
  expect(await end(page.writeEntry(entry))).toBe("done");
});

/** Keeps the store busy with a transaction of another page, until the returned function is called. */
async function keepStoreBusy(): Promise<() => void> {
  const database = await (await openPage()).openDatabase();
  const store = database.transaction("entries", "readwrite").objectStore("entries");
  let isHeld = true;
  const hold = () => {
    if (isHeld) store.get("a").onsuccess = hold;
  };
  hold();
  return () => {
    isHeld = false;
  };
}

it("a change that takes longer than two seconds does not happen [37]", async () => {
  const page = await openPage();
  await page.writeEntry(entry);
  const release = await keepStoreBusy();
  const changed = end(page.changeEntry("a", () => undefined));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await changed).toBe("failed");
  release();
  expect(await readDisk()).toEqual([entry]);
});

it("a write that is being committed after two seconds may still succeed [37]", async () => {
  const page = await openPage();
  await page.openDatabase();
  const release = await keepStoreBusy();
  const written = end(page.writeEntry(entry));
  await vi.advanceTimersByTimeAsync(2_000);
  release();
  expect([await written, await readDisk()]).toEqual(["done", [entry]]);
  const busy = await keepStoreBusy();
  const failed = end(page.writeEntry(entry));
  await vi.advanceTimersByTimeAsync(4_000);
  expect(await failed).toBe("failed");
  busy();
});
