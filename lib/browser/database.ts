/**
 * The database on the visitor's device: one store in IndexedDB. The handle stays open while a form is on the page, so
 * that a write is begun and committed in the task (of the event loop) that handles the submission.
 */
import { convertRecordOfVersion1 } from "#lib/browser/earlier-version.ts";
import { withTimeout } from "#lib/browser/with-timeout.ts";

export const DATABASE = "applications";
const VERSION = 2;
const STORE = "records";
/** Time after which an unanswered request counts as blocked. Some browsers never answer. */
const BLOCKED_AFTER_MS = 2_000;

export type Work = (store: IDBObjectStore) => unknown;

let handle: IDBDatabase | undefined;
let opening: Promise<IDBDatabase> | undefined;
const unfinished = new Set<IDBTransaction>();

/**
 * Runs `work` and commits its requests, in the current task if the handle is open: the page may end before they are
 * answered. True once the work is on the disk; false when it is not, or when nobody knows. Never throws.
 */
export function commit(work: Work): Promise<boolean> {
  return transact((store) => {
    const { transaction } = store;
    work(store);
    transaction.commit();
    // A committed transaction finishes by itself, but WebKit would let `endTransactions` abort it.
    unfinished.delete(transaction);
  });
}

/** Like `commit`, for work that goes on when its first request is answered. */
export function transact(work: Work): Promise<boolean> {
  const withNewHandle = async () => runTransaction(await openDatabase(), work);
  // A handle can be dead. A fault of the browser itself shows on a new handle too.
  const done = handle ? runTransaction(handle, work).catch(withNewHandle) : withNewHandle();
  return withTimeout(done, BLOCKED_AFTER_MS).then(
    () => true,
    () => false,
  );
}

/**
 * Runs work in a transaction. @throws when the transaction has no effect. Does not end as long as the browser does
 * not answer.
 */
async function runTransaction(database: IDBDatabase, work: Work): Promise<void> {
  try {
    const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
    unfinished.add(transaction);
    work(transaction.objectStore(STORE));
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      // A request that fails aborts it too.
      transaction.onabort = () => reject(transaction.error);
    }).finally(() => unfinished.delete(transaction));
  } catch (error) {
    // Safari can kill a handle that is kept: the next operation opens another.
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
      handle = request.result;
      // A later version of the site, or a visitor who clears the site's data, must not wait for this page.
      handle.onversionchange = forgetHandle;
      handle.onclose = forgetHandle;
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

/** WebKit freezes a page that is left, and with it a transaction that would block the database of the next page. */
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
