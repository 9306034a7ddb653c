/** The database on the visitor's device. It stays open, so that the task that handles a submission can commit it. */
import { convertRecordOfVersion1 } from "#lib/browser/earlier-version.ts";
import { withTimeout } from "#lib/browser/with-timeout.ts";

export const DATABASE = "applications";
const VERSION = 2;
const STORE = "records";
/** Milliseconds after which an unanswered request counts as failed. Some browsers never answer. */
const BLOCKED_AFTER_MS = 2_000;

export type StoreWork = (store: IDBObjectStore) => unknown;

let handle: IDBDatabase | undefined;
let opening: Promise<IDBDatabase> | undefined;
const unfinished = new Set<IDBTransaction>();

/**
 * Runs `work` and commits its requests without waiting for their answers, because the page may be closed at any moment.
 * Resolves to true once the data is on the disk, to false if it is not or if the browser does not answer. Never throws.
 */
export function commit(work: StoreWork): Promise<boolean> {
  return transact((store) => {
    const { transaction } = store;
    work(store);
    transaction.commit();
    // A committed transaction finishes by itself. In WebKit, `endTransactions` would still abort it.
    unfinished.delete(transaction);
  });
}

/** Like `commit`, for work that makes further requests when its first one is answered. */
export function transact(work: StoreWork): Promise<boolean> {
  let isLate = false;
  const withNewHandle = async () => {
    const database = await openDatabase();
    // The caller already knows that the work was not done, so it must not be done now.
    if (!isLate) await runTransaction(database, work);
  };
  // The open database may be dead, so a failed transaction is repeated on a new one.
  const done = handle ? runTransaction(handle, work).catch(withNewHandle) : withNewHandle();
  return withTimeout(done, BLOCKED_AFTER_MS).then(
    () => true,
    () => {
      isLate = true;
      // The browser may answer on a new handle.
      forgetHandle();
      return false;
    },
  );
}

/** Never resolves if the browser does not answer. @throws when the transaction has no effect */
async function runTransaction(database: IDBDatabase, work: StoreWork): Promise<void> {
  try {
    const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
    unfinished.add(transaction);
    work(transaction.objectStore(STORE));
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      // A failed request also aborts the transaction.
      transaction.onabort = () => reject(transaction.error);
    }).finally(() => unfinished.delete(transaction));
  } catch (error) {
    // Safari can close an open database, so the next transaction opens it again.
    if (database === handle) forgetHandle();
    throw error;
  }
}

function openDatabase(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion === 0) request.result.createObjectStore(STORE, { keyPath: "id" });
      else if (request.transaction) upgrade(request.transaction.objectStore(STORE));
    };
    request.onsuccess = () => {
      // This answer may be late, after another handle was opened.
      handle?.close();
      handle = request.result;
      // This page must not block a later version of the site, or a visitor who clears the site's data.
      handle.onversionchange = forgetHandle;
      resolve(handle);
    };
    request.onerror = () => reject(request.error);
  });
  opening.catch(forgetHandle);
  addEventListener("pagehide", endTransactions);
  return opening;
}

function upgrade(store: IDBObjectStore): void {
  const request = store.getAll();
  request.onsuccess = () => {
    store.clear();
    for (const old of request.result) {
      const record = convertRecordOfVersion1(old);
      if (record) store.put(record);
    }
  };
}

/** WebKit freezes a page that was left. An open transaction of that page would block the next page. */
function endTransactions(): void {
  for (const transaction of unfinished) {
    try {
      transaction.abort();
    } catch {
      // The transaction is committed, and finishes by itself.
    }
  }
  forgetHandle();
}

function forgetHandle(): void {
  handle?.close();
  handle = undefined;
  opening = undefined;
}
