/**
 * The database on the visitor's device: one store in IndexedDB. The handle stays open while a form is written, so that
 * a write is begun and committed in the turn of a press. No operation takes longer than callers can wait.
 */
import type { Kept } from "#lib/browser/record.ts";
import { withTimeout } from "#lib/browser/with-timeout.ts";

export const DATABASE = "applications";
const STORE = "records";
/** A database that has not answered by then is treated as blocked. Some browsers never answer. */
const BLOCKED_AFTER_MS = 2_000;

type Work = (store: IDBObjectStore, transaction: IDBTransaction) => unknown;

let handle: IDBDatabase | undefined;
let opening: Promise<IDBDatabase> | undefined;
const unfinished = new Set<IDBTransaction>();

/** Everything in it; undefined when it has not answered. Does not create one. */
export async function readAll(): Promise<Kept[] | undefined> {
  let reading: IDBRequest<Kept[]> | undefined;
  const read = async () => {
    if (!(await mayExist())) return;
    await finish(await open(), "readonly", (store, transaction) => {
      reading = store.getAll();
      transaction.commit();
    });
  };
  return (await inTime(read())) ? (reading?.result ?? []) : undefined;
}

/**
 * Makes its requests and commits them in this turn, where the handle is open: the page may end before they are
 * answered. True once they are on the disk.
 */
export function write(work: Work): Promise<boolean> {
  const committed: Work = (store, transaction) => {
    work(store, transaction);
    transaction.commit();
    // It finishes by itself; WebKit would let even this be aborted when the page is left.
    unfinished.delete(transaction);
  };
  // A handle can have died; a fault of the browser itself shows on a new one too.
  const first = handle && finish(handle, "readwrite", committed);
  return inTime(first ? first.catch(() => anew(committed)) : anew(committed));
}

/** Reads and writes in one transaction: `work` goes on when its first request is answered. */
export function rewrite(work: Work): Promise<boolean> {
  return inTime(anew(work));
}

/** Opens it for the write that will follow. */
export function prepare(): void {
  open().catch(() => undefined);
}

async function anew(work: Work): Promise<void> {
  await finish(await open(), "readwrite", work);
}

function inTime(work: Promise<unknown>): Promise<boolean> {
  return withTimeout(work, BLOCKED_AFTER_MS).then(
    () => true,
    () => false,
  );
}

/** @throws when the transaction has no effect. Does not end as long as the browser does not answer. */
async function finish(database: IDBDatabase, mode: IDBTransactionMode, work: Work): Promise<void> {
  try {
    const transaction = database.transaction(STORE, mode, { durability: "strict" });
    unfinished.add(transaction);
    work(transaction.objectStore(STORE), transaction);
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

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => {
      handle = request.result;
      // A later version of the site, or a visitor who clears the site's data, must not wait for this page.
      handle.onversionchange = forgetHandle;
      handle.onclose = forgetHandle;
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  opening.catch(forgetHandle);
  addEventListener("pagehide", letGo);
  return opening;
}

/** WebKit freezes a page that is left, and with it a transaction that would block the database of the next page. */
function letGo(): void {
  for (const transaction of unfinished) abort(transaction);
  forgetHandle();
}

export function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // Committed, and finishes by itself, or aborted already.
  }
}

function forgetHandle(): void {
  handle?.close();
  handle = undefined;
  opening = undefined;
}

/** False only when there is certainly no database: nothing is created for a visitor who only reads. */
async function mayExist(): Promise<boolean> {
  if (typeof indexedDB === "undefined") return false;
  if (handle || typeof indexedDB.databases !== "function") return true;
  return (await indexedDB.databases()).some(({ name }) => name === DATABASE);
}
