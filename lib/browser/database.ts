/** The database on the visitor's device stays open, so that a submission is committed without a wait. */
import { withTimeout } from "#lib/browser/with-timeout.ts";

export const DATABASE_NAME = "applications";
const VERSION = 2;
const STORE = "records";
/** An unanswered request counts as failed after this time, because some browsers never answer. */
const BLOCKED_AFTER_MS = 2_000;

export type TransactionWork = (store: IDBObjectStore) => unknown;

let handle: IDBDatabase | undefined;
let opening: Promise<IDBDatabase> | undefined;
const unfinished = new Set<IDBTransaction>();

/** Commits `work` at once, because the page may close. Resolves to true once the data is on the disk. Never throws. */
export function commit(work: TransactionWork): Promise<boolean> {
  return transact((store) => {
    const { transaction } = store;
    work(store);
    transaction.commit();
    // WebKit would let `endTransactions` abort even a committed transaction.
    unfinished.delete(transaction);
  });
}

/** Like `commit`, for work whose later requests depend on earlier answers. */
export function transact(work: TransactionWork): Promise<boolean> {
  let isLate = false;
  const withNewHandle = async () => {
    const database = await openDatabase();
    // The caller has already been told that the work failed, so the work must not be done now.
    if (!isLate) await runTransaction(database, work);
  };
  // The handle may be dead, so a failed transaction is repeated on a new handle.
  const done = handle ? runTransaction(handle, work).catch(withNewHandle) : withNewHandle();
  return withTimeout(done, BLOCKED_AFTER_MS).then(
    () => true,
    () => {
      isLate = true;
      // The next request may be answered on a new handle.
      forgetHandle();
      return false;
    },
  );
}

async function runTransaction(database: IDBDatabase, work: TransactionWork): Promise<void> {
  try {
    const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
    unfinished.add(transaction);
    work(transaction.objectStore(STORE));
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    }).finally(() => unfinished.delete(transaction));
  } catch (error) {
    // Safari may have closed the database, so the next transaction opens the database again.
    if (database === handle) forgetHandle();
    throw error;
  }
}

function openDatabase(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE_NAME, VERSION);
    request.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion === 0) request.result.createObjectStore(STORE, { keyPath: "id" });
      else if (request.transaction) convertVersion1(request.transaction.objectStore(STORE));
    };
    request.onsuccess = () => {
      // A newer handle exists if this request was answered late.
      handle?.close();
      handle = request.result;
      // An open handle would block a newer version of the site, and the deletion of the site's data.
      handle.onversionchange = forgetHandle;
      resolve(handle);
    };
    request.onerror = () => reject(request.error);
  });
  opening.catch(forgetHandle);
  addEventListener("pagehide", endTransactions);
  return opening;
}

/** An application that an earlier version of the site queued must be sent. Drafts have left the database since. */
function convertVersion1(store: IDBObjectStore): void {
  const request = store.getAll();
  request.onsuccess = () => {
    store.clear();
    for (const { state, key, lookedAt, byPress = false, ...rest } of request.result) {
      const renamed = state === "waiting" ? "queued" : state === "refused" ? "rejected" : state;
      const times = { at: lookedAt, tickedAt: lookedAt };
      const record = { ...times, ...rest, id: key, state: renamed, toldByForm: byPress };
      if (state !== "draft") store.put(record);
    }
  };
}

/** WebKit freezes a page that is left, whose open transactions would then block the next page. */
function endTransactions(): void {
  for (const transaction of unfinished) {
    try {
      transaction.abort();
    } catch {
      // `abort` throws after `commit`, and the transaction finishes by itself.
    }
  }
  forgetHandle();
}

function forgetHandle(): void {
  handle?.close();
  handle = undefined;
  opening = undefined;
}
