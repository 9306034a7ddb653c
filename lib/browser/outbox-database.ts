/**
 * The outbox's database on the visitor's device, in IndexedDB. Every operation is one transaction on a handle of
 * its own (Safari can kill one that is kept). Callers wait for a limited time, because some browsers never answer. An
 * operation that answers later still takes effect, in the order of the calls.
 */
import type { Ending, OutboxEntry } from "#lib/browser/outbox-entry.ts";
import { withTimeout } from "#lib/browser/with-timeout.ts";

export const DATABASE = "training-applications";
const VERSION = 1;
const STORES = ["outbox", "endings"] as const;
/** A database that has not answered by then is treated as blocked. */
const BLOCKED_AFTER_MS = 2_000;

export interface Stored {
  entries: OutboxEntry[];
  endings: Ending[];
}

/** Makes its requests at once. The function that it returns is called when all of them are done. */
type Work<Result> = (outbox: IDBObjectStore, endings: IDBObjectStore) => () => Result;
type Change = (outbox: IDBObjectStore, endings: IDBObjectStore) => unknown;

/** False only when there is certainly no database. Does not create one. */
export async function mayHoldEntries(): Promise<boolean> {
  if (typeof indexedDB === "undefined") return false;
  if (typeof indexedDB.databases !== "function") return true;
  try {
    const databases = await withTimeout(indexedDB.databases(), BLOCKED_AFTER_MS);
    return databases.some(({ name }) => name === DATABASE);
  } catch {
    return true;
  }
}

/** Everything in it. @throws when it has not answered in time. */
export function read(): Promise<Stored> {
  const all: Work<Stored> = (outbox, endings) => {
    const requests = { entries: outbox.getAll(), endings: endings.getAll() };
    return () => ({ entries: requests.entries.result, endings: requests.endings.result });
  };
  return withTimeout(transact(open(), "readonly", all), BLOCKED_AFTER_MS);
}

/** Whether the change is on the disk; `handle` was opened beforehand. Never throws. */
export async function change(work: Change, handle = open()): Promise<boolean> {
  const changing = transact(handle, "readwrite", (outbox, endings) => {
    work(outbox, endings);
    return () => true;
  });
  return withTimeout(changing, BLOCKED_AFTER_MS).catch(() => false);
}

/** @throws when the transaction has no effect. Does not end as long as the browser does not answer. */
async function transact<Result>(
  opening: Promise<IDBDatabase>,
  mode: IDBTransactionMode,
  work: Work<Result>,
): Promise<Result> {
  const database = await opening;
  try {
    const transaction = database.transaction(STORES, mode, { durability: "strict" });
    const result = work(transaction.objectStore("outbox"), transaction.objectStore("endings"));
    // Does not wait for the events of the requests: the page may end before they come.
    transaction.commit();
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      // A request that fails aborts it too.
      transaction.onabort = () => reject(transaction.error);
    });
    return result();
  } finally {
    database.close();
  }
}

export function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      for (const name of STORES)
        request.result.createObjectStore(name, { keyPath: "idempotencyKey" });
    };
    request.onsuccess = () => {
      const database = request.result;
      // A later version of the site, or a visitor who clears the site's data, must not wait for this page.
      database.onversionchange = () => database.close();
      resolve(database);
    };
    request.onerror = () => reject(request.error);
  });
}
