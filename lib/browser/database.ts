/** The database on the visitor's device. A page keeps the database open, so that a submission can write at once. */
import type { Entry } from "#lib/browser/entry.ts";
import { withTimeout } from "#lib/browser/with-timeout.ts";

export const DATABASE_NAME = "outbox";
const STORE_NAME = "entries";
/** An unanswered request counts as failed after this time, because some browsers never answer. */
const DATABASE_LIMIT_MS = 2_000;

let openedDatabase: Promise<IDBDatabase> | undefined;
const unfinishedTransactions = new Set<IDBTransaction>();

// WebKit freezes a page that the visitor leaves. Unfinished transactions of that page would block the next page.
globalThis.addEventListener?.("pagehide", () => {
  for (const transaction of unfinishedTransactions) abort(transaction);
  closeDatabase();
});

export const readEntries = (): Promise<Entry[]> =>
  transact((store) => {
    const request: IDBRequest<Entry[]> = store.getAll();
    return () => request.result;
  });

/** Commits the entry at once, because the page may close. */
export const writeEntry = (entry: Entry): Promise<void> =>
  transact((store) => {
    store.put(entry);
    store.transaction.commit();
    // The listener of `pagehide` must not abort this transaction: WebKit would abort even a committed one.
    unfinishedTransactions.delete(store.transaction);
    return () => undefined;
  });

/** Reads and changes one entry in one transaction. Resolves to the entry before the change. */
export const changeEntry = (
  id: string,
  change: (entry: Entry | undefined) => Entry | undefined,
): Promise<Entry | undefined> =>
  transact((store) => {
    const request: IDBRequest<Entry | undefined> = store.get(id);
    request.onsuccess = () => {
      const after = change(request.result);
      try {
        if (after) store.put(after);
        else store.delete(id);
      } catch {
        // The transaction is already aborted: WebKit fires `success` even after the visitor has left the page.
      }
    };
    return () => request.result;
  });

/** Resolves once the work is on the disk. Rejects if the storage is missing, forbidden, full or too slow. */
function transact<Result>(work: (store: IDBObjectStore) => () => Result): Promise<Result> {
  let isLate = false;
  let transaction: IDBTransaction | undefined;
  const attempt = async () => {
    const database = await openDatabase();
    if (isLate) throw new Error("too late");
    transaction = database.transaction(STORE_NAME, "readwrite", { durability: "strict" });
    unfinishedTransactions.add(transaction);
    const result = work(transaction.objectStore(STORE_NAME));
    await waitForEnd(transaction);
    return result();
  };
  // Safari may have closed the database, so a failed attempt is repeated on a new handle.
  const done = attempt().catch(() => {
    closeDatabase();
    return attempt();
  });
  return withTimeout(done, DATABASE_LIMIT_MS).catch((error: unknown) => {
    // The caller learns that the work failed, so the work must not be done later.
    isLate = true;
    if (transaction) abort(transaction);
    closeDatabase();
    // A transaction that is being committed cannot be aborted and may still succeed, so its own end decides.
    if (transaction) return withTimeout(done, DATABASE_LIMIT_MS);
    throw error;
  });
}

function waitForEnd(transaction: IDBTransaction): Promise<unknown> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  }).finally(() => unfinishedTransactions.delete(transaction));
}

export function openDatabase(): Promise<IDBDatabase> {
  openedDatabase ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE_NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE_NAME, { keyPath: "id" });
    request.onsuccess = () => {
      // Closes the database on request: open, it would block a newer version of the site, or the deletion of its data.
      request.result.onversionchange = closeDatabase;
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  return openedDatabase;
}

function closeDatabase(): void {
  openedDatabase?.then(
    (database) => database.close(),
    () => undefined,
  );
  openedDatabase = undefined;
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // The transaction is being committed, and finishes by itself.
  }
}
