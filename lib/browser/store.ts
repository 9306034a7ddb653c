/**
 * The records of this device, in IndexedDB, and what this page knows of them. No operation throws: where the browser
 * keeps nothing, a record lives as long as the page.
 *
 * A form writes without reading before it (`put`), in the turn of the press: what is committed then survives the end
 * of the tab. Everybody else changes what is stored by `change`, in one transaction: no tab undoes another's work.
 */
import { type Change, type Draft, isEnded, type Kept, next } from "#lib/browser/record.ts";
import { withTimeout } from "#lib/browser/with-timeout.ts";

const DATABASE = "applications";
const STORE = "records";
/** A database that has not answered by then is treated as blocked. Some browsers never answer. */
const BLOCKED_AFTER_MS = 2_000;

const known = new Map<string, Kept>();
/** What the browser has not taken. */
const unstored = new Set<string>();
/** The records that a form, a panel or a toast of this page shows. */
const here = new Set<string>();
let shown: readonly Kept[] = [];
let writes = 0;
const listeners = new Set<() => void>();

let handle: IDBDatabase | undefined;
let opening: Promise<IDBDatabase> | undefined;
const unfinished = new Set<IDBTransaction>();
let channel: BroadcastChannel | undefined;

/** All records but drafts, the oldest first; for useSyncExternalStore. */
export function records(): readonly Kept[] {
  return shown;
}

/** Of all records, drafts too. */
export function ids(): readonly string[] {
  return [...known.keys()];
}

export function find(id: string): Kept | undefined {
  return known.get(id);
}

export function draftOf(form: string, tab: string): Draft | undefined {
  return [...known.values()].find(
    (record): record is Draft =>
      record.state === "draft" && record.form === form && record.tab === tab,
  );
}

/** A form, a panel or a toast of this page shows the record from now on: no notice does. */
export function showHere(id: string): void {
  here.add(id);
  tell();
}

export function hideHere(id: string): void {
  here.delete(id);
  tell();
}

export function isShownHere(id: string): boolean {
  return here.has(id);
}

/** Calls back after each change, by this page, another tab or the service worker; returns how to stop. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  try {
    channel ??= new BroadcastChannel(DATABASE);
    channel.onmessage = () => void refresh();
  } catch {
    // Missing or forbidden: this page learns of the others at its next look.
  }
  return () => void listeners.delete(listener);
}

/** Opens the database for the press that will follow. */
export function prepare(): void {
  open().catch(() => undefined);
}

/** Writes a record over the one with its id. True once it is on the disk. */
export async function put(record: Kept): Promise<boolean> {
  remember(record.id, record);
  const write = (store: IDBObjectStore) => store.put(record);
  // Begun before anything is waited for. A handle can have died; then a new one shows whether the browser keeps it.
  const written = handle ? commit(handle, write).catch(() => anew(write)) : anew(write);
  const isStored = await limited(written);
  if (isStored) unstored.delete(record.id);
  else unstored.add(record.id);
  announce(record);
  return isStored;
}

/** What becomes of a record, by what is stored now. */
export async function change(id: string, event: Change): Promise<Kept | undefined> {
  const before = known.get(id);
  let after: Kept | undefined;
  const write = (store: IDBObjectStore) => {
    const reading = store.get(id);
    reading.onsuccess = () => {
      after = next(unstored.has(id) ? before : reading.result, event);
      if (after) store.put(after);
      else store.delete(id);
    };
  };
  const isStored = await limited(open().then((database) => finish(database, "readwrite", write)));
  if (isStored) unstored.delete(id);
  else after = next(known.get(id), event);
  // A form of this page has written meanwhile: whichever came last is in the database.
  if (known.get(id) !== before && isStored) await refresh();
  else remember(id, after);
  announce(after);
  return after;
}

/** Takes a record out. `stays`: what this page alone still knows of it. */
export async function remove(id: string, stays?: Kept): Promise<void> {
  remember(id, stays);
  if (stays) unstored.add(id);
  else unstored.delete(id);
  const work = (store: IDBObjectStore) => store.delete(id);
  await limited(handle ? commit(handle, work).catch(() => anew(work)) : anew(work));
  announce(undefined);
}

/** Reads everything anew. False when the database has not answered: there may be more. */
export async function refresh(): Promise<boolean> {
  const began = writes;
  let stored: Kept[] = [];
  const read = async () => {
    if (!(await mayHoldRecords())) return;
    const database = await open();
    let reading: IDBRequest<Kept[]> | undefined;
    await commit(
      database,
      (store) => {
        reading = store.getAll();
      },
      "readonly",
    );
    stored = reading?.result ?? [];
  };
  if (!(await limited(read()))) return false;
  // Written meanwhile: what was read is old.
  if (began !== writes) return refresh();
  for (const id of known.keys()) if (!unstored.has(id)) known.delete(id);
  for (const record of stored) known.set(record.id, record);
  tell();
  return true;
}

function remember(id: string, record: Kept | undefined): void {
  writes += 1;
  const before = known.get(id);
  if (record) known.set(id, record);
  else known.delete(id);
  if (isShown(before) || isShown(record)) tell();
}

const isShown = (record: Kept | undefined) => record !== undefined && record.state !== "draft";

function tell(): void {
  shown = [...known.values()].filter(isShown).sort((a, b) => timeOf(a) - timeOf(b));
  for (const listener of listeners) listener();
}

const timeOf = (record: Kept) => (isEnded(record) ? 0 : record.at);

/** Tells the other tabs. A draft is nobody else's business. */
function announce(record: Kept | undefined): void {
  if (record?.state === "draft") return;
  try {
    const speaker = new BroadcastChannel(DATABASE);
    speaker.postMessage("changed");
    speaker.close();
  } catch {
    // The other tabs learn of it at their next look.
  }
}

const limited = (work: Promise<unknown>) =>
  withTimeout(work, BLOCKED_AFTER_MS).then(
    () => true,
    () => false,
  );

const anew = (work: (store: IDBObjectStore) => unknown) =>
  open().then((database) => commit(database, work));

/** Makes its requests and commits them in this turn: the page may end before they are answered. */
async function commit(
  database: IDBDatabase,
  work: (store: IDBObjectStore) => unknown,
  mode: IDBTransactionMode = "readwrite",
): Promise<void> {
  return finish(database, mode, (store, transaction) => {
    work(store);
    transaction.commit();
  });
}

/** @throws when the transaction has no effect. Does not end as long as the browser does not answer. */
async function finish(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore, transaction: IDBTransaction) => unknown,
): Promise<void> {
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
  for (const transaction of unfinished) {
    try {
      transaction.abort();
    } catch {
      // Committed: it finishes by itself.
    }
  }
  forgetHandle();
}

function forgetHandle(): void {
  handle?.close();
  handle = undefined;
  opening = undefined;
}

/** False only when there is certainly no database: nothing is created for a visitor who only reads. */
async function mayHoldRecords(): Promise<boolean> {
  if (typeof indexedDB === "undefined") return false;
  if (handle || typeof indexedDB.databases !== "function") return true;
  return (await indexedDB.databases()).some(({ name }) => name === DATABASE);
}
