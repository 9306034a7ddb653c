import { forceCloseDatabase, IDBDatabase, IDBFactory, IDBTransaction } from "fake-indexeddb";
import { beforeEach, expect, it, vi } from "vitest";
import type { TransactionWork } from "#lib/browser/database.ts";
import { filledIn } from "#testing/fixtures/browser-application.ts";

const record = { id: "a" };
const put: TransactionWork = (store) => store.put(record);

/** Imports the database module for a new page. `leave` fires the event with which the visitor leaves that page. */
async function openPage() {
  const window = new EventTarget();
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.resetModules();
  const database = await import("#lib/browser/database.ts");
  return { ...database, leave: () => window.dispatchEvent(new Event("pagehide")) };
}

/** The records that another page finds on the disk. */
async function readDisk(): Promise<unknown> {
  const { transact } = await openPage();
  const request = Promise.withResolvers<IDBRequest<unknown[]>>();
  expect(await transact((store) => request.resolve(store.getAll()))).toBe(true);
  return (await request.promise).result;
}

/** Creates the database as another version of the site does. */
async function createVersion(version: number, records: readonly object[]): Promise<void> {
  const request = indexedDB.open("applications", version);
  request.onupgradeneeded = () => {
    const store = request.result.createObjectStore("records", { keyPath: "id" });
    for (const each of records) store.put(each);
  };
  await new Promise((resolve) => {
    request.onsuccess = resolve;
  });
  request.result.close();
}

function deleteDatabase(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase("applications");
    request.onsuccess = resolve;
    request.onblocked = reject;
  });
}

/** Keeps a transaction busy for longer than a database takes to open, then aborts it. */
function abortLate(store: IDBObjectStore, requests = 30): void {
  store.get("a").onsuccess = () =>
    requests > 0 ? abortLate(store, requests - 1) : store.transaction.abort();
}

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.useFakeTimers({ toFake: ["setTimeout"] });
});

it.each(["commit", "transact"] as const)(
  "%s resolves to true once the record is on the disk",
  async (operation) => {
    const page = await openPage();
    expect(await page[operation](put)).toBe(true);
    expect(await readDisk()).toEqual([record]);
  },
);

it.each([
  ["throws", () => JSON.parse("{")],
  ["stores an invalid record", (store: IDBObjectStore) => store.put({})],
  ["aborts", (store: IDBObjectStore) => store.put(record) && store.transaction.abort()],
  ["stores a record twice", (store: IDBObjectStore) => [store.add(record), store.add(record)]],
])("work that %s leaves the disk unchanged", async (_, work) => {
  const page = await openPage();
  expect(await page.transact(work)).toBe(false);
  expect(await page.transact(work)).toBe(false);
  expect(await readDisk()).toEqual([]);
});

it("a page with an open database commits before the call returns", async () => {
  const commit = vi.spyOn(IDBTransaction.prototype, "commit");
  const page = await openPage();
  const opening = page.commit(put);
  expect(commit).not.toHaveBeenCalled();
  await opening;
  const work = vi.fn<TransactionWork>(put);
  const committed = page.commit(work);
  expect(work).toHaveBeenCalledTimes(1);
  expect(work.mock.lastCall?.[0].transaction.durability).toBe("strict");
  expect(commit).toHaveBeenCalledTimes(2);
  await committed;
});

it("leaving a page aborts only uncommitted transactions", async () => {
  const page = await openPage();
  await page.transact(put);
  // WebKit would abort a committed transaction, so `abort` must not be called at all.
  const abort = vi.spyOn(IDBTransaction.prototype, "abort").mockReturnValue();
  const committed = page.commit((store) => store.put({ id: "b" }));
  page.leave();
  expect(abort).not.toHaveBeenCalled();
  expect(await committed).toBe(true);
  await page.transact(put);
  abort.mockRestore();
  const work = vi.fn<TransactionWork>((store) => store.put({ id: "c" }));
  const aborted = page.transact(work);
  page.leave();
  // The aborted work is repeated with a new handle, for a page that Back restores.
  expect(await aborted).toBe(true);
  expect(work).toHaveBeenCalledTimes(2);
  expect(await readDisk()).toEqual([record, { id: "b" }, { id: "c" }]);
});

it.each([
  ["it is left", ({ leave }) => leave()],
  ["the visitor clears the site's data", deleteDatabase],
  ["the browser closes it", (_, handle) => Reflect.apply(forceCloseDatabase, undefined, [handle])],
] satisfies [string, (page: { leave: () => void }, handle: IDBDatabase) => unknown][])(
  "a page closes its database handle when %s",
  async (_, end) => {
    const page = await openPage();
    const handle = Promise.withResolvers<IDBDatabase>();
    await page.commit((store) => handle.resolve(store.transaction.db));
    await end(page, await handle.promise);
    const open = vi.spyOn(indexedDB, "open");
    await page.commit(put);
    await page.commit(put);
    expect(open).toHaveBeenCalledTimes(1);
    // The deletion succeeds only if no handle is open.
    await deleteDatabase();
  },
);

it("two transactions on a dead handle open one new handle", async () => {
  const page = await openPage();
  await page.commit(put);
  const open = vi.spyOn(indexedDB, "open");
  const both = [0, 1].map((index) => {
    let isFirst = true;
    return page.transact((store) => {
      if (!isFirst) store.put({ id: "b" });
      else if (index === 0) store.transaction.abort();
      else abortLate(store);
      isFirst = false;
    });
  });
  expect(await Promise.all(both)).toEqual([true, true]);
  expect(await page.commit(put)).toBe(true);
  expect(open).toHaveBeenCalledTimes(1);
  vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementationOnce(() => {
    throw new DOMException("The connection is closing.", "InvalidStateError");
  });
  expect(await page.commit(put)).toBe(true);
  expect(open).toHaveBeenCalledTimes(2);
});

it("a page opens its database again after a failure", async () => {
  const page = await openPage();
  await createVersion(3, []);
  expect(await page.commit(put)).toBe(false);
  await deleteDatabase();
  expect(await page.commit(put)).toBe(true);
});

it("a page opens its database again after two seconds without an answer", async () => {
  const page = await openPage();
  const open = vi.spyOn(indexedDB, "open");
  const late = {} as IDBOpenDBRequest;
  open.mockReturnValueOnce(late);
  const [ended, lateWork] = [vi.fn(), vi.fn<TransactionWork>(put)];
  const done = page.commit(lateWork).then(ended);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await done;
  expect(ended).toHaveBeenCalledWith(false);
  expect(await page.commit(put)).toBe(true);
  vi.spyOn(IDBDatabase.prototype, "transaction").mockReturnValueOnce({
    objectStore: () => ({ put: () => undefined }),
  } as never);
  const dead = page.transact(put);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await dead).toBe(false);
  expect(await page.commit(put)).toBe(true);
  expect(open).toHaveBeenCalledTimes(3);

  const request = indexedDB.open("applications");
  await new Promise((resolve) => {
    request.onsuccess = resolve;
  });
  Object.assign(late, { result: request.result });
  late.onsuccess?.(new Event("success"));
  // The deletion succeeds only if the page has closed the handle that opened late.
  await deleteDatabase();
  expect(lateWork).not.toHaveBeenCalled();
});

it("records of database version 1 are converted, except drafts", async () => {
  const old = { form: "dialog", tab: "tab", values: filledIn, ageMs: 5, lookedAt: 7 };
  await createVersion(1, [
    { ...old, id: "0", key: "a", state: "waiting", at: 6 },
    { ...old, id: "1", key: "b", state: "refused", at: 6 },
    { ...old, id: "2", key: "c", state: "received", byPress: true },
    { ...old, id: "3", key: "d", state: "received" },
    { ...old, id: "4", key: "e", state: "expired" },
    { ...old, id: "5", key: "f", state: "draft" },
  ]);
  expect(await readDisk()).toMatchObject([
    { id: "a", state: "queued", values: filledIn, ageMs: 5, at: 6, tickedAt: 7 },
    { id: "b", state: "rejected", values: filledIn },
    { id: "c", state: "received", at: 7, toldByForm: true },
    { id: "d", state: "received", toldByForm: false },
    { id: "e", state: "expired" },
  ]);
});
